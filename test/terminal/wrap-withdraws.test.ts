/** A wrap whose client has left waits for no clock: with its timers stopped, what is held is withdrawn, and it ends. */
import { PassThrough } from "node:stream"
import type { Client } from "@byleave/api"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { findGate } from "../../apps/cli/src/wrap/find-gate.ts"
import { wrapServer } from "../../apps/cli/src/wrap/wrap-server.ts"
import { decide, makeScene, modernEnvelope, type Scene, statusOf, waitingCalls } from "./wrapping.ts"

let scene: Scene
let person: Client
let service: NonNullable<Awaited<ReturnType<typeof findGate>>>

beforeAll(async () => {
  scene = await makeScene()
  const { url } = await scene.serve()
  person = await scene.reviewer(url)
  const found = await findGate(scene.data, url)
  if (found === null) throw new Error("no gate")
  service = found
})
afterEach(() => void vi.useRealTimers())
afterAll(() => scene?.dispose())

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "lines", version: "1" } }
const asked = { name: "echo", arguments: {} }
const opening = {
  legacy: [
    { id: 1, method: "initialize", params: hello },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: asked },
  ],
  modern: [{ id: 2, method: "tools/call", params: { ...asked, _meta: modernEnvelope } }],
} as const

/** A wrap in this process, which is told these messages at once. */
function start(messages: ReadonlyArray<object>) {
  const [command = "", ...args] = scene.oddServer
  const [input, output, stop] = [new PassThrough(), new PassThrough(), Promise.withResolvers<void>()]
  const ended = wrapServer({
    ...{ name: "odd", command, file: command, args, env: new Map(Object.entries(scene.env)), cwd: scene.data, service },
    ...{ input, output, stopped: stop.promise, switches: [], now: Date.now, pid: process.pid, log: () => {} },
  })
  input.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""))
  return { input, output, stop, ended }
}

/** One with a call that is held. */
async function holding(era: keyof typeof opening) {
  const wrapped = start(opening[era])
  wrapped.output.resume()
  const [held] = await waitingCalls(person, 1)
  if (held === undefined) throw new Error("nothing waits")
  return { held, ...wrapped }
}

type Held = Awaited<ReturnType<typeof holding>>

describe("a client that leaves while a call is held", { timeout: 30_000 }, () => {
  it.each([
    { era: "legacy", how: "by the end of its output", leave: ({ input }: Held) => void input.end() },
    { era: "modern", how: "by the end of its output", leave: ({ input }: Held) => void input.end() },
    { era: "modern", how: "with nobody to read", leave: ({ output }: Held) => void output.destroy() },
    { era: "modern", how: "its wrap asked to stop", leave: ({ stop }: Held) => stop.resolve() },
  ] as const)("$era, $how: it is withdrawn and the wrap ends without a timer", async ({ era, leave }) => {
    const wrapped = await holding(era)
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] })
    leave(wrapped)
    const { held } = wrapped
    await expect.poll(() => statusOf(person, held.id), { timeout: 20_000, interval: 10 }).toBe("cancelled")
    await expect(decide(person, "approve", held)).rejects.toThrow()
    await wrapped.ended
    expect(scene.calls()).toEqual([])
  })
})

describe("an allowed call that is cancelled at once", { timeout: 30_000 }, () => {
  it.each(["legacy", "modern"] as const)("is not sent to the wrapped server (%s)", async (era) => {
    const meta = era === "modern" ? { _meta: modernEnvelope } : {}
    const call = (id: number) => ({
      id,
      method: "tools/call",
      params: { name: "surroundings", arguments: {}, ...meta },
    })
    const before = scene.calls().length
    const { input, output, ended } = start([
      ...opening[era].slice(0, -1),
      call(2),
      { method: "notifications/cancelled", params: { requestId: 2 } },
      call(3),
    ])
    let said = ""
    output.on("data", (chunk) => {
      said += String(chunk)
    })
    await expect.poll(() => said, { timeout: 20_000, interval: 10 }).toContain('"id":3')
    input.end()
    await ended
    expect(scene.calls()).toHaveLength(before + 1)
  })
})
