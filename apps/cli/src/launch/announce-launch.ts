import { setTimeout as pause } from "node:timers/promises"
import { attendSession, type LaunchSwitch, tellSeen } from "@byleave/api"
import type { AskingProgram } from "@byleave/core"
import type { Io } from "../io.ts"
import { findGate } from "../wrap/find-gate.ts"
import { nodeTransport } from "../wrap/node-transport.ts"

export type AnnouncedLaunch = {
  readonly id: AskingProgram
  readonly name: string
  readonly switches: readonly LaunchSwitch[]
}

const patienceMs = 3_000

/**
 * Tells the running service of a program that is started with switches, so that people see the session and its switches, and the audit has
 * them. Where no service runs, the program's wraps start one and say so. Returns what ends the session.
 */
export async function announceLaunch(
  data: string,
  { id, name, switches }: AnnouncedLaunch,
  io: Io,
): Promise<() => void> {
  const found = switches.length === 0 ? null : await findGate(data)
  if (found === null) return () => {}
  const transport = nodeTransport(found)
  const closing = new AbortController()
  const session = { agent: id, session: { id: `${io.pid}-${io.now().toString(36)}`, named: true } }
  const rest = (ms: number) => pause(ms, undefined, { ref: false })
  const told = transport
    .connected()
    .then(() => tellSeen(transport, { ...session, client: name, folder: io.cwd, switches }))
  await Promise.race([told.catch(() => undefined), rest(patienceMs)])
  void attendSession({ transport, session, pause: rest, closing: closing.signal })
  return () => {
    closing.abort()
    transport.close()
  }
}
