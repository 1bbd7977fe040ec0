import type { ApprovalSummary } from "@byleave/core"
import { expect, it } from "vitest"
import { answeredCalls } from "./answered-calls.ts"

/** How many of so many approvals of so many bytes are read, and how often others have their turn meanwhile. */
async function read(count: number, bytes: number) {
  const seen = { reads: [] as string[], turns: 0 }
  const all = Array.from(
    { length: count },
    (_, at) => ({ id: `a${at}`, createdAt: count - at, bytes }) as ApprovalSummary,
  )
  await answeredCalls({
    time: () => 0,
    turns: {
      now: () => 0,
      nextTurn: async () => {
        seen.turns += 1
      },
    },
    store: {
      approvals: async ({ after, limit }) => {
        const from = all.findIndex(({ id }) => id === after?.id) + 1
        return all.slice(from, from + limit)
      },
      approval: async (id) => {
        seen.reads.push(id)
        return undefined
      },
    },
  })
  return seen
}

it.each([
  { name: "small ones: as many as a rule may learn from", count: 6_000, bytes: 100, reads: 5_000, turns: 100 },
  { name: "large ones: 16 MB of them", count: 1_000, bytes: 65_536, reads: 256, turns: 5 },
  { name: "such as no rule comes of: none", count: 1_000, bytes: 65_537, reads: 0, turns: 0 },
])("answers are read newest first, and others have their turn meanwhile: $name", async ({ count, bytes, ...most }) => {
  const { reads, turns } = await read(count, bytes)
  expect(reads).toEqual(Array.from({ length: most.reads }, (_, at) => `a${at}`))
  expect(turns).toBe(most.turns)
})
