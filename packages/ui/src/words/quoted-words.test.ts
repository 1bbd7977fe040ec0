import fc from "fast-check"
import { expect, it } from "vitest"
import { isPlainName, quotedWords } from "./quoted-words.ts"

it.each([
  { text: "Tidy my notes", shown: "“Tidy my notes”" },
  { text: "Tidy” asks to read. The run “Tidy", shown: "“Tidy\\” asks to read. The run \\“Tidy”" },
  { text: 'Tidy" asks', shown: '“Tidy\\" asks”' },
  { text: "Tidy\\” asks", shown: "“Tidy\\\\\\” asks”" },
  { text: "Tidy\u2033 asks", shown: "“Tidy\\\u2033 asks”" },
  { text: "Tidy'' asks", shown: "“Tidy\\'\\' asks”" },
  { text: "Don't tidy", shown: "“Don't tidy”" },
  { text: "Tidy\\", shown: "“Tidy\\\\”" },
  { text: "x".repeat(30), shown: `“${"x".repeat(20)}…”` },
])("$text is $shown", ({ text, shown }) => {
  expect(quotedWords(text, Math.max(20, text.length > 29 && !text.includes(" ") ? 20 : 200))).toBe(shown)
})

it("the quotation ends where its last mark stands", () => {
  const text = fc.string({ unit: fc.constantFrom("a", " ", '"', "”", "“", "»", "\\"), maxLength: 12 })
  fc.assert(
    fc.property(text, (words) => {
      const inside = quotedWords(words, 100).slice(1, -1)
      expect(inside.replaceAll(/\\["“”»\\]/g, "")).not.toMatch(/["“”»]/)
    }),
  )
})

it.each([
  ["claude-code", true],
  ["claude-code 1.0.0", true],
  ["files(write_file)", true],
  ["Editor with a name", false],
  ["a 1.0 asks", false],
  ["a”b", false],
  ["a\u2033b", false],
  ["a,b", false],
  ["检查过", false],
  ["claude-code v1.0.0", true],
  [" 1.0", false],
  ["x".repeat(81), false],
])("the name %s stands without quotes: %s", (name, is) => {
  expect(isPlainName(name, 80)).toBe(is)
})
