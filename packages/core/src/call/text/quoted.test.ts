import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { quoted, shownName } from "./quoted.ts"

describe("a text in quotes", () => {
  it.each([
    { text: "path", shown: '"path"' },
    { text: String.raw`C:\Users\me`, shown: String.raw`"C:\Users\me"` },
    { text: 'a" is safe. "', shown: String.raw`"a\" is safe. \""` },
    { text: String.raw`a\" is safe`, shown: String.raw`"a\\\" is safe"` },
    { text: "a\\", shown: String.raw`"a\\"` },
    { text: "a\u202eb", shown: '"a⟨U+202E⟩b"' },
    { text: "x".repeat(201), shown: `"${"x".repeat(200)}…"` },
  ])("is $shown", ({ text, shown }) => expect(quoted(text)).toBe(shown))

  it("ends where its quotes end, and differs from any other", () => {
    const text = fc.string({ unit: fc.constantFrom("a", '"', "\\"), maxLength: 8 })
    fc.assert(fc.property(text, (text) => read(quoted(text)) === text))
  })
})

it("a name that could pass for words of ours stands in quotes", () => {
  expect(shownName("files(write_file)")).toBe("files(write_file)")
  expect(shownName("t(x) was checked")).toBe('"t(x) was checked"')
})

/** Reads quoted text back: the quotes end at the first quote after an even number of backslashes. Null: they end early. */
function read(shown: string): string | null {
  let text = ""
  for (let at = 1; at < shown.length; at += 1) {
    const slashes = /^\\*/.exec(shown.slice(at))?.[0].length ?? 0
    const isQuote = shown[at + slashes] === '"'
    text += "\\".repeat(isQuote ? Math.floor(slashes / 2) : slashes)
    at += slashes
    if (isQuote && slashes % 2 === 0) return at === shown.length - 1 ? text : null
    text += shown[at] ?? ""
  }
  return null
}
