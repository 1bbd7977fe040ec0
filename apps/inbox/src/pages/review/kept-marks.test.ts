import { beforeEach, expect, it } from "vitest"
import { type KeptMark, marksOf, readMarks, writeMarks } from "./kept-marks.ts"

const tab = (() => {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => void items.set(key, text),
    removeItem: (key: string) => void items.delete(key),
  }
})()

beforeEach(() => tab.items.clear())

const comment = { path: "a.txt", line: 1, isRemoved: false, quote: "password=hunter2", text: "Not this." } as const
const mark: KeptMark = { answer: "deny", reason: "No.", comments: [["/content 1", comment]] }

it("I1: finds marks again by the digest of the call as it was shown, for its session alone", () => {
  writeMarks(tab, "s1", marksOf([{ digest: "d1", holdsSecret: false, ...mark }]))
  expect(readMarks(tab, "s1").get("d1")).toEqual(mark)
  expect(readMarks(tab, "s1").get("d2")).toBeUndefined()
  expect(readMarks(tab, "s2").size).toBe(0)
})

it("I2: keeps no line of a call that holds a secret", () => {
  writeMarks(tab, "s1", marksOf([{ digest: "d1", holdsSecret: true, ...mark }]))
  expect([...tab.items.values()].join()).not.toContain("hunter2")
  expect(readMarks(tab, "s1").get("d1")).toMatchObject({ answer: "deny", reason: "No." })
})

it("keeps nothing where nothing is marked, and forgets what was kept", () => {
  writeMarks(tab, "s1", marksOf([{ digest: "d1", holdsSecret: false, ...mark }]))
  writeMarks(tab, "s1", marksOf([{ digest: "d1", holdsSecret: false, answer: null, reason: "", comments: [] }]))
  expect(tab.items.size).toBe(0)
})

it.each(["{", "7", '[["d1",{"answer":"maybe","reason":"","comments":[]}]]', '[["d1",null]]'])(
  "takes %s for no marks",
  (text) => {
    tab.items.set("byleave.review.s1", text)
    expect(readMarks(tab, "s1").size).toBe(0)
  },
)
