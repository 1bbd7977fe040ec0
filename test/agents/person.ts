import { setTimeout as delay } from "node:timers/promises"
import type { Scene } from "./scene.ts"

export type Answered = {
  readonly id: string
  readonly verdict: "approve" | "deny"
  /** What the clients of the sessions call themselves while it waits. */
  readonly clients: readonly string[]
}

/** What the person writes when denying. */
export const reason = "Not this one: the archive is closed."

const thinkingMs = 3_000
const lookMs = 500

/** A person at another terminal: approves the first call that waits, after some seconds, and denies the next with a reason. */
export async function answerWhatWaits(scene: Scene, over: AbortSignal): Promise<readonly Answered[]> {
  const answered: Answered[] = []
  while (!over.aborted) {
    const id = await heldCall(scene)
    if (id === undefined || answered.some((before) => before.id === id)) {
      await delay(lookMs, undefined, { signal: over }).catch(() => {})
      continue
    }
    const verdict = answered.length === 0 ? "approve" : "deny"
    const clients = await clientNames(scene)
    await delay(thinkingMs, undefined, { signal: over }).catch(() => {})
    const words = verdict === "deny" ? ["--reason", reason] : []
    const { code } = await scene.byleave(verdict, id, ...words)
    // What was not answered is still there to be answered, or its caller has withdrawn it.
    if (code === 0) answered.push({ id, verdict, clients })
  }
  return answered
}

async function heldCall(scene: Scene): Promise<string | undefined> {
  const { code, stdout } = await scene.byleave("pending", "--json")
  return code === 0 ? JSON.parse(stdout).waiting[0]?.id : undefined
}

async function clientNames(scene: Scene): Promise<readonly string[]> {
  const { code, stdout } = await scene.byleave("sessions", "list", "--json")
  return code === 0 ? JSON.parse(stdout).sessions.map(({ client }: { client: unknown }) => String(client)) : []
}
