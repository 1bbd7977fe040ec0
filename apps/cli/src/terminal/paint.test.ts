import { expect, it } from "vitest"
import { jsonFor } from "./paint.ts"

const value = { tool: "a\u009b2Jb\u202ec\u{e0041}d\u2028e", detail: "plain ä" }
const line = JSON.stringify(value)

it("a line of JSON steers no terminal, and means the same there", () => {
  const shown = jsonFor({ isTerminal: true }, line)
  expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(JSON.parse(shown)).toEqual(value)
})

it("a line of JSON is for files and programs as it came", () => {
  expect(jsonFor({ isTerminal: false }, line)).toBe(line)
})
