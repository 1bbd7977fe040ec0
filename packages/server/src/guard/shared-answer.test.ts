import { expect, it } from "vitest"
import { createSharedAnswer } from "./shared-answer.ts"

function open() {
  const at = { state: "a", works: 0, most: 0, underWay: 0, fails: false }
  const ends: Array<() => void> = []
  const shared = createSharedAnswer(
    async () => at.state,
    async () => {
      at.works += 1
      at.underWay += 1
      at.most = Math.max(at.most, at.underWay)
      const { state } = at
      await new Promise<void>((resolve) => ends.push(resolve))
      at.underWay -= 1
      if (at.fails) throw new Error("store")
      return state
    },
  )
  const end = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve))
    ends.shift()?.()
  }
  return { at, get: shared.get, end }
}

it("is worked out once for all who ask, until what it depends on changes", async () => {
  const { at, get, end } = open()
  const answers = Promise.all([get(), get(), get()])
  await end()
  expect(await answers).toEqual(["a", "a", "a"])
  expect(await get()).toBe("a")
  expect(at.works).toBe(1)
  at.state = "b"
  const changed = get()
  await end()
  expect(await changed).toBe("b")
  expect(at.works).toBe(2)
})

it("is worked out once at a time, and whoever asks meanwhile shares the next", async () => {
  const { at, get, end } = open()
  const first = get()
  const later: Array<Promise<string>> = []
  for (const state of ["b", "c", "d"]) {
    await new Promise((resolve) => setTimeout(resolve))
    at.state = state
    later.push(get())
  }
  await end()
  expect(await first).toBe("a")
  await end()
  expect(await Promise.all(later)).toEqual(["d", "d", "d"])
  expect(at).toMatchObject({ works: 2, most: 1 })
})

it("is worked out again after a failure", async () => {
  const { at, get, end } = open()
  at.fails = true
  const failed = get().catch(() => "failed")
  await end()
  expect(await failed).toBe("failed")
  at.fails = false
  const again = get()
  await end()
  expect(await again).toBe("a")
})
