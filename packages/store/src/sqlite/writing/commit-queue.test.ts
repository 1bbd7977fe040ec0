import type { Change, CommitResult } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createCommitQueue } from "./commit-queue.ts"

const hurried = (at: number): Change => ({ at, records: [], events: [], durability: "soon" })
const unhurried = (at: number): Change => ({ ...hurried(at), unhurried: true })

function opened() {
  const batches: number[][] = []
  const queue = createCommitQueue(
    async (changes) => {
      batches.push(changes.map(({ at }) => at))
      return changes.map((): CommitResult => ({ ok: true, epoch: 0 }))
    },
    () => {},
  )
  return { queue, batches }
}

describe("a change that nobody waits for", () => {
  it("goes with the next one that somebody waits for, in the order they came", async () => {
    const { queue, batches } = opened()
    const first = queue.add(unhurried(1))
    await new Promise((resolve) => setImmediate(resolve))
    expect(batches).toEqual([])
    await Promise.all([first, queue.add(hurried(2))])
    expect(batches).toEqual([[1, 2]])
  })

  it("is committed by itself where none follows", async () => {
    const { queue, batches } = opened()
    await Promise.all([queue.add(unhurried(1)), queue.add(unhurried(2))])
    expect(batches).toEqual([[1, 2]])
  })

  it.each(["hurry", "idle"] as const)("is settled before %s resolves", async (how) => {
    const { queue, batches } = opened()
    const added = queue.add(unhurried(1))
    await queue[how]()
    expect(batches).toEqual([[1]])
    await added
  })
})
