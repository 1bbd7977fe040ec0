import type { AgentRun, JournalLine } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createOwnItems } from "./own-items.ts"

const starter = { kind: "runner", id: "shop" } as const

/** A run that said this in its first leg and failed, and as often again as `tries` says, without anything more. */
function runThatSaid(texts: readonly string[], tries = 1) {
  const line = (name: string, value: object) => ({ name, text: JSON.stringify(value) })
  const answers = texts.map((text, step) =>
    line(`answer 1.${step}`, {
      parts: [
        { type: "text-delta", id: "t", delta: text },
        { type: "text-end", id: "t" },
      ],
    }),
  )
  const inputs = Array.from({ length: tries - 1 }, (_, at) => line(`input ${at + 2}`, { messages: [] }))
  const lines = [line("input 1", { messages: [] }), ...answers, ...inputs].map(
    (one, at): JournalLine => ({ run: "r", seq: at + 1, at: 1, ...one }),
  )
  const face = { kind: "responses", store: true, requests: [], listed: [], deleted: [] }
  const run = { id: "r", startedBy: starter, status: "failed", legs: tries, setup: { servers: [], face } }
  let reads = 0
  const gate = {
    // As much of a run as its items are made of.
    run: async () => run as unknown as AgentRun,
    journal: async (_: string, after: number) => {
      reads += after === 0 ? 1 : 0
      return lines.filter(({ seq }) => seq > after)
    },
  }
  const tools = { list: async () => ({ tools: [], unreachable: [] }) }
  const world = { gate, tools } as unknown as Parameters<typeof createOwnItems>[0]
  const items = (most?: number) => createOwnItems(world, { starter, conveysDecisions: false }, most)
  return { items, reads: () => reads }
}

const ref = (leg: number, step: number) => ({ type: "item_reference", id: `msg_r_${leg}_${step}_0` }) as const

describe("references to items (I2)", () => {
  const { items } = runThatSaid(["a".repeat(60), "b".repeat(60), "c".repeat(60)])

  it.each([
    { name: "one", given: [ref(1, 0)], most: 60 },
    { name: "several that have as much as they may", given: [ref(1, 0), ref(1, 1), ref(1, 2)], most: 180 },
  ])("are the items that they name: $name", async ({ given, most }) => {
    const found = await items(most).resolve(given)
    expect(found.map(({ type }) => type)).toEqual(given.map(() => "message"))
  })

  it.each([
    { name: "too large by itself", given: [ref(1, 0)], most: 59, words: "more than" },
    { name: "too large together", given: [ref(1, 0), ref(1, 1), ref(1, 2)], most: 179, words: "more than" },
    { name: "named twice", given: [ref(1, 0), ref(1, 1), ref(1, 0)], most: 1_000, words: "Duplicate item found" },
    { name: "of nobody's", given: [ref(1, 9)], most: 1_000, words: "not found" },
  ])("are refused where items are $name", async ({ given, most, words }) => {
    await expect(items(most).resolve(given)).rejects.toThrow(words)
  })
})

it("reads a run once, and makes nothing of what several legs that failed have in common but for the last (I1)", async () => {
  const { items, reads } = runThatSaid(["One.", "Two."], 50)
  const own = items()
  const run = await own.run("r")
  expect(run?.legs.size).toBe(50)
  expect([...((await run?.items()) ?? new Map()).keys()]).toEqual(["msg_r_50_0_0", "msg_r_50_1_0"])
  expect(run?.legs.get(7)?.events()).toEqual(run?.legs.get(50)?.events())
  await own.resolve([ref(50, 0), ref(50, 1)])
  expect(reads()).toBe(1)
})
