import { describe, expect, it } from "vitest"
import { fileBeside, fileMeant } from "./review-place.ts"

describe("the file that keys mean in a review", () => {
  it("is the one with the focus", () => {
    expect(fileMeant({ focused: "b", hasFocus: true, last: "a" })).toBe("b")
  })

  it("stays the last one when the button that had the focus is gone", () => {
    expect(fileMeant({ focused: null, hasFocus: false, last: "b" })).toBe("b")
    expect(fileBeside(["a", "b", "c"], "b", 1)).toBe("c")
    expect(fileBeside(["a", "b", "c"], "b", -1)).toBe("a")
  })

  it("is none while something else has the focus, and moving starts at the first", () => {
    expect(fileMeant({ focused: null, hasFocus: true, last: "b" })).toBeNull()
    expect(fileBeside(["a", "b"], null, 1)).toBe("a")
    expect(fileBeside(["a", "b"], "gone", 1)).toBe("a")
    expect(fileBeside(["a", "b"], "b", 1)).toBeUndefined()
  })
})
