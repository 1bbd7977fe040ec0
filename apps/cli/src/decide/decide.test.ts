import { describe, expect, it } from "vitest"
import { findById, shortId } from "./short-id.ts"

const ids = ["019aa0b1-7c3d-7000-8000-aaaaaa111111", "019aa0b1-7c3e-7000-8000-bbbbbb111111"]
const items = ids.map((id) => ({ id }))

describe("ids as people write them", () => {
  it("a short id is one that no other ends with", () => {
    expect(ids.map((id) => shortId(id, ids))).toEqual(["a111111", "b111111"])
  })

  it.each([
    { written: ids[0] ?? "", found: 0 },
    { written: "019aa0b1-7c3d", found: 0 },
    { written: "B111111", found: 1 },
    { written: "019aa0b1", found: null },
    { written: "111111", found: null },
    { written: "01", found: null },
    { written: "zzz", found: null },
  ])("$written", ({ written, found }) => {
    const result = findById(items, written, "call")
    expect(result.ok ? ids.indexOf(result.item.id) : null).toBe(found)
  })
})
