import { describe, expect, it } from "vitest"
import { byDay, mergeNewest } from "./merge-newest.ts"

type Item = { readonly id: string; readonly at: number; readonly outcome?: string }
const item = (id: string, outcome?: string): Item => ({
  id,
  at: Number(id),
  ...(outcome === undefined ? {} : { outcome }),
})
const keyOf = ({ id }: Item): string => id

describe("the newest page over those read before", () => {
  it("adds what is new and shows what is in both as read last, once", () => {
    const merged = mergeNewest(
      [item("4"), item("3", "succeeded")],
      [[item("3", "waiting"), item("2")], [item("1")]],
      keyOf,
    )
    expect(merged).toEqual({ items: [item("4"), item("3", "succeeded"), item("2"), item("1")], hasGap: false })
  })

  it("says when something between was never read", () => {
    expect(mergeNewest([item("9")], [[item("3")]], keyOf).hasGap).toBe(true)
    expect(mergeNewest([], [[item("3")]], keyOf).hasGap).toBe(false)
    expect(mergeNewest([item("3")], [], keyOf).hasGap).toBe(false)
  })
})

it("groups by day without changing the order", () => {
  const days = byDay([item("30"), item("21"), item("20")], (at) => `day ${Math.floor(at / 10)}`)
  expect(days.map(({ label, items }) => [label, items.map(keyOf)])).toEqual([
    ["day 3", ["30"]],
    ["day 2", ["21", "20"]],
  ])
})
