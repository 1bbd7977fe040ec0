import type { Change } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { change } from "../../contract/index.ts"
import { type BatchResult, createCommitQueue } from "./commit-queue.ts"

const ok = (epoch: number): BatchResult => ({ ok: true, epoch })

describe("the commit queue", () => {
  it("gives the changes of one tick to one commit, and what comes meanwhile to the next", async () => {
    const batches: number[] = []
    const { promise: release, resolve } = Promise.withResolvers<void>()
    const queue = createCommitQueue(async (changes) => {
      batches.push(changes.length)
      if (batches.length === 1) await release
      return changes.map((_, place) => ok(place))
    })
    const first = [queue.commit(change()), queue.commit(change())]
    await new Promise((done) => setImmediate(() => setImmediate(done)))
    const meanwhile = [queue.commit(change()), queue.commit(change()), queue.commit(change())]
    resolve()
    await Promise.all([...first, ...meanwhile])
    expect(batches).toEqual([2, 3])
  })

  it("answers each change in its place, also by throwing", async () => {
    const queue = createCommitQueue(async () => [ok(1), { ok: false, thrown: new Error("own") }, ok(3)])
    const answers = await Promise.allSettled([1, 2, 3].map(() => queue.commit(change())))
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  })

  it("goes on after a batch that failed as a whole", async () => {
    let failing = true
    const queue = createCommitQueue(async (changes) => {
      if (failing) throw new Error("lost")
      return changes.map(() => ok(1))
    })
    await expect(queue.commit(change())).rejects.toThrow("lost")
    failing = false
    expect(await queue.commit(change())).toEqual(ok(1))
  })

  it("splits what is too much for one commit, in order", async () => {
    const seen: number[] = []
    const queue = createCommitQueue(async (changes: readonly Change[]) => {
      seen.push(...changes.map(({ at }) => at))
      return changes.map(() => ok(changes.length))
    })
    const answers = await Promise.all(Array.from({ length: 450 }, (_, at) => queue.commit(change({ at }))))
    expect(seen).toEqual(Array.from({ length: 450 }, (_, at) => at))
    expect(Math.max(...answers.map((answer) => (answer.ok ? answer.epoch : 0)))).toBeLessThan(450)
  })

  it("runs other work between commits", async () => {
    const steps: string[] = []
    const queue = createCommitQueue(async (changes) => {
      steps.push("commit begins")
      await Promise.resolve()
      steps.push("commit ends")
      return changes.map(() => ok(1))
    })
    const commit = queue.commit(change())
    const alone = queue.alone(async () => steps.push("alone"))
    await Promise.all([commit, alone])
    expect(steps).toEqual(["commit begins", "commit ends", "alone"])
  })
})
