import { fileChanges } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { namePieces, textPieces } from "../words/text-pieces.ts"
import { addressPieces } from "./arguments/address-pieces.ts"
import { argTree, secretsIn } from "./arguments/arg-tree.ts"
import { cutMiddle, cutText } from "./arguments/cut-text.ts"
import { jsonLines } from "./arguments/json-lines.ts"
import { allSpaces, edgeSpaces, endBreaks, outerSpaces } from "./arguments/space-pieces.ts"
import { lineDiff } from "./changes/line-diff.ts"

const hostile: readonly string[] = [
  "<script>alert(1)</script><img src=x onerror=alert(1)>",
  "report\u202efdp.exe",
  "\u2066x\u2069\u200b\ufeff\u00ad",
  `H${"\u0300\u0301\u0302\u0303".repeat(500)}`,
  "\u001b[2J\u001b]52;c;cm0gLXJmIH4=\u0007",
  "javascript:alert(1)",
  "https://bank.example@evil.example/",
  "x".repeat(100_000),
  `${"a\n".repeat(50_000)}`,
  "😀".repeat(2_000),
  `ls${"\n".repeat(60)}rm -rf /`,
  "__proto__",
  "constructor",
  " \t ",
  "",
  "\ud800",
]

const joined = (pieces: ReadonlyArray<{ readonly text: string }>): string => pieces.map(({ text }) => text).join("")

describe("R108, R137: what somebody else wrote is shown whole", () => {
  it.each(hostile)("pieces of %j are all of it, in order", (text) => {
    expect(joined(addressPieces("path", text))).toBe(text)
    expect(joined(edgeSpaces(text))).toBe(text)
    expect(joined(allSpaces(text))).toBe(text)
    expect(joined(outerSpaces(text))).toBe(text)
    expect(endBreaks(text).join("")).toBe(text)
  })

  it.each(hostile)("a cut of %j says exactly what it leaves out, and splits no character", (text) => {
    const { shown, hidden } = cutText(text, 701, 14)
    expect(text.startsWith(shown)).toBe(true)
    expect(shown.length + hidden).toBe(text.length)
    expect(/[\ud800-\udbff]$/.test(shown) && hidden > 0).toBe(false)
  })

  it.each(hostile)("what is long shows its end as well: %j", (text) => {
    const { shown, hidden, end } = cutMiddle(text, 701, 14)
    expect(text.startsWith(shown) && text.endsWith(end)).toBe(true)
    expect(shown.length + hidden + end.length).toBe(text.length)
    expect(/^[\udc00-\udfff]/.test(end)).toBe(false)
    expect(end !== "").toBe(hidden > 0)
    expect(end.split("\n").length).toBeLessThanOrEqual(3)
  })

  it.each(hostile)("both sides of a comparison can be read back from it: %j", (text) => {
    const { lines } = lineDiff(text, `${text}!\n`)
    const side = (left: "added" | "removed") =>
      lines
        .filter(({ kind }) => kind !== left)
        .map((line) => line.text + (line.isOpen ? "" : "\n"))
        .join("")
    expect(side("added")).toBe(text)
    expect(side("removed")).toBe(`${text}!\n`)
  })

  it("line breaks at the end are set apart, and no others", () => {
    expect(endBreaks("\na\nb\n\n")).toEqual(["\na\nb", "\n\n"])
  })

  it("a name is one line: what would break it is marked", () => {
    const pieces = namePieces("files(x\ny\tz)").map(({ kind, text }) => [kind, text])
    expect(pieces).toEqual([
      ["plain", "files(x"],
      ["mark", "U+000A"],
      ["plain", "y"],
      ["mark", "U+0009"],
      ["plain", "z)"],
    ])
  })

  it("leaves nothing that turns, hides or clears", () => {
    for (const text of hostile) {
      const plain = textPieces(text).flatMap((piece) => (piece.kind === "plain" ? [piece.text] : []))
      expect(plain.join("").replaceAll(/[\n\t]/g, "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Cs}]/u)
    }
  })

  it("shows names that objects have of their own as the arguments they are", () => {
    const args = JSON.parse('{"__proto__": {"constructor": "a"}, "toString": "b"}') as JsonObject
    const tree = argTree(args, [])
    expect(tree.map(({ name }) => name)).toEqual(["__proto__", "toString"])
    expect(tree[0]?.inner[0]).toMatchObject({ name: "constructor", value: "a", pointer: "/__proto__/constructor" })
    expect(JSON.parse(textOf(args))).toEqual(args)
    expect(fileChanges("write_file", args)).toEqual([])
  })

  it("goes as deep as a call may", () => {
    const deep = JSON.parse(`${'{"a":['.repeat(60)}"end"${"]}".repeat(60)}`) as JsonObject
    let node = argTree(deep, [])[0]
    while (node?.inner[0] !== undefined) node = node.inner[0]
    expect(node?.value).toBe("end")
    expect(JSON.parse(textOf(deep))).toEqual(deep)
  })

  it("finds a secret however deep and however it is called", () => {
    const args = { a: [{ b: { credentials: { user: "ada", number: 4711, on: true } } }], c: ["Bearer abcdefghijkl"] }
    expect(secretsIn(argTree(args, [])).map(({ pointer }) => pointer)).toEqual([
      "/a/0/b/credentials/user",
      "/a/0/b/credentials/number",
      "/c/0",
    ])
  })
})

function textOf(args: JsonObject): string {
  return jsonLines(args)
    .flatMap(({ pieces }) => pieces.map((piece) => (piece.kind === "text" ? piece.text : "")))
    .join("")
}
