import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { keyText, nameOf } from "./key-text.ts"

const odd = fc.constantFrom("\0", "\\", '"', "\n", "\ud800", "\udc00", "u0000", "😀")
const name = fc.string({ unit: fc.oneof(fc.string({ minLength: 1, maxLength: 3 }), odd) })

describe("names in text columns", () => {
  it("come back as they were", () => {
    fc.assert(fc.property(name, (text) => nameOf(keyText(text)) === text))
  })

  it("hold nothing that a database refuses or changes", () => {
    fc.assert(fc.property(name, (text) => keyText(text).isWellFormed() && !keyText(text).includes("\0")))
  })

  it("stay as they are where they can", () => {
    expect(keyText("a b\nc'; 😀")).toBe("a b\nc'; 😀")
  })
})
