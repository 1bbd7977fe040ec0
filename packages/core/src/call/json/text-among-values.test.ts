import fc from "fast-check"
import { expect, it } from "vitest"
import { textAmongValues } from "./text-among-values.ts"

it.each([
  "true",
  "False",
  " null",
  "0",
  "-12.5e+3",
  '{"a":1}',
  "[]",
  '"x"',
  "missing",
  "empty text",
  "hidden, 5 characters",
  "‹hidden, 20 characters; --reveal shows it›",
  "‹secret, 7 characters›",
])("the text %j stands in quotes", (text) => expect(textAmongValues(text)).toBe(`"${text}"`))

it.each(["", "falsehood", "null and void", "12 monkeys", "007", "1.2.3", "/home/me", "a {b}", "x\n{}"])(
  "the text %j stands as it is",
  (text) => expect(textAmongValues(text)).toBe(text),
)

it("no text looks like another kind of value, nor like another text", () => {
  const piece = fc.constantFrom('"', "{", "}", "1", "true", " ", "a")
  const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""))
  fc.assert(
    fc.property(
      text,
      fc.jsonValue(),
      (text, value) => typeof value === "string" || textAmongValues(text) !== JSON.stringify(value),
    ),
  )
  fc.assert(fc.property(text, text, (one, other) => one === other || textAmongValues(one) !== textAmongValues(other)))
})
