import { getEventListeners } from "node:events"
import type { Call, RunContext } from "@byleave/core"
import { expect, it } from "vitest"
import { carryOutOffered } from "./begin-calls.ts"

const ref = { server: "files", tool: "write" }
const session = { principal: "ana", id: "s1", named: true }
const call: Call = { tool: ref, args: {}, principal: { id: "ana" }, session }
const tool = { name: "write", ref, inputSchema: {} }

it("a call that is over leaves nothing with its leg, and one under way hears of its end", async () => {
  const leg = new AbortController()
  const contexts: RunContext[] = []
  const running = Promise.withResolvers<void>()
  const ports = {
    tools: [tool],
    signal: leg.signal,
    isClosing: () => false,
    carryOut: async (_: Call, args: object, context: RunContext) => {
      contexts.push(context)
      if ("waits" in args) await running.promise
      return { kind: "succeeded", result: null } as const
    },
  }
  const context = { approval: null, extraParams: undefined, cancelled: new Promise<void>(() => {}) }
  for (let i = 0; i < 100; i++) await carryOutOffered(ports, call, {}, context)
  expect(getEventListeners(leg.signal, "abort")).toEqual([])
  const waiting = carryOutOffered(ports, call, { waits: true }, context)
  leg.abort()
  await contexts.at(-1)?.cancelled
  running.resolve()
  expect(await waiting).toMatchObject({ kind: "succeeded" })
})
