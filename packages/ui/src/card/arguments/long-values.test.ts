/** Names and texts are the agent's to choose, in length as well: a page draws a part of each, and more of it with each press. */
import type { JsonObject } from "@byleave/core"
import fc from "fast-check"
import { createElement, type ReactElement } from "react"
import { describe, expect, it } from "vitest"
import { ValueList } from "../../verdict/edit/value-list.tsx"
import { openedHtml } from "../fixtures/drawn-page.ts"
import { argTree } from "./arg-tree.ts"
import { ArgumentTable } from "./argument-rows.tsx"
import { runPieces, textBlocks } from "./cut-text.ts"

const thai = "ก"

/** `opened`: how often all folds of the card were opened. */
function drawn(element: ReactElement, opened = 0): string {
  return openedHtml(element, opened)
}

function table(args: JsonObject): ReactElement {
  const secrets = { hidden: new Set<string>(), all: [], reveal: () => {} }
  return createElement(ArgumentTable, {
    tree: argTree(args, []),
    showing: { secrets, elsewhere: new Set<string>() },
  })
}

const letters = (html: string): number => html.split(thai).length - 1
const longestPiece = (html: string): number => Math.max(...html.split(/<[^>]*>/).map((piece) => piece.length))

describe("a long name", () => {
  it.each([
    { where: "the table of arguments", element: table({ [thai.repeat(100_000)]: 1 }) },
    {
      where: "a list of values",
      element: createElement(ValueList, { values: [{ place: thai.repeat(100_000), text: "1" }] }),
    },
  ])("is cut in $where, and shown step by step", ({ element }) => {
    expect(letters(drawn(element))).toBeLessThan(400)
    expect(drawn(element)).toContain("Show 20,000 of 99,720 more characters")
    expect(letters(drawn(element, 1))).toBeLessThan(20_400)
    expect(letters(drawn(element, 5))).toBe(100_000)
    expect(drawn(element, 5)).not.toContain("more characters")
  })

  it("is shown whole where it fits", () => {
    expect(drawn(table({ observations: 1 }))).not.toContain("more character")
  })
})

describe("a long text", () => {
  const element = table({ text: thai.repeat(200_000) })

  it("grows by one block with each press, and says how much is left", () => {
    expect(drawn(element)).toContain("Show 20,000 of 199,140 more characters")
    const once = drawn(element, 1)
    expect(letters(once)).toBe(20_000 + 700 + 160)
    expect(once).toContain("Show 20,000 of 179,140 more characters")
    expect(once).toContain("Show less")
    expect(longestPiece(drawn(element, 3))).toBeLessThan(21_000)
    expect(letters(drawn(element, 10))).toBe(200_000)
  })

  it("has letters that join each other in short pieces, and plain ones in one", () => {
    expect(longestPiece(drawn(table({ text: "\u0628".repeat(9_000) }), 1))).toBeLessThanOrEqual(1_000)
    expect(longestPiece(drawn(table({ text: "x".repeat(9_000) }), 1))).toBe(9_000)
  })

  it("shows all of its rest at once where that is one block", () => {
    expect(drawn(table({ text: "x".repeat(5_000) }))).toContain("Show 4,140 more characters")
    expect(drawn(table({ text: "x".repeat(5_000) }), 1)).toContain("x".repeat(5_000))
  })

  it("says how many line breaks it ends with, and draws a few of them", () => {
    const html = drawn(table({ text: `a${"\n".repeat(100_000)}` }))
    expect(html).toContain("100,000 line breaks at the end")
    expect(html.split("\n").length).toBeLessThan(20)
  })
})

describe("the blocks of a text", () => {
  it("end where a line does", () => {
    const line = `${"a".repeat(18)}\n`
    expect(textBlocks(line.repeat(3), 20, { atLines: true })).toEqual([line, line, line])
    expect(textBlocks(line.repeat(3), 20)).toEqual([`${line}a`, `${"a".repeat(17)}\naa`, `${"a".repeat(16)}\n`])
  })

  it("are cut within long words of other than plain letters alone", () => {
    const [long, words] = ["\u0628".repeat(2_500), "\u0628\u0628 ".repeat(900)]
    expect(runPieces(`${words}${long} end`).map(({ length }) => length)).toEqual([3_700, 1_000, 504])
    expect(runPieces("x".repeat(9_000))).toHaveLength(1)
    const text = fc.string({
      unit: fc.constantFrom("\u0628".repeat(400), "x", " ", "\n", "😀"),
      maxLength: 20,
      size: "max",
    })
    fc.assert(fc.property(text, (text) => runPieces(text).join("") === text))
  })

  it("are the text, none of them too long, and never half a character", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "😀"), maxLength: 60, size: "max" })
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 2, max: 30 }),
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        (text, size, more, atLines) => {
          const blocks = textBlocks(text, size, { more, atLines })
          expect(blocks.join("")).toBe(text)
          blocks.forEach((block, at) => {
            expect(block.length).toBeLessThanOrEqual(size + (at === 0 ? more : 0))
            expect(block.isWellFormed()).toBe(true)
          })
        },
      ),
    )
  })
})
