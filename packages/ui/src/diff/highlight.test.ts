import { describe, expect, it } from "vitest"
import { highlightLines } from "./highlight.ts"

/** `kind:text` of each token, line by line. */
function told(text: string, path: string): readonly (readonly string[])[] | null {
  const lines = text.split("\n")
  const found = highlightLines(text, path)
  return (
    found?.map((tokens, at) => tokens.map(({ start, end, kind }) => `${kind}:${lines[at]?.slice(start, end)}`)) ?? null
  )
}

describe("highlightLines", () => {
  it.each([
    {
      name: "comments, strings, keywords and numbers of a script",
      path: "src/a.ts",
      text: 'const a = "x" // why\nreturn 12',
      lines: [
        ["keyword:const", 'string:"x"', "comment:// why"],
        ["keyword:return", "number:12"],
      ],
    },
    {
      name: "a comment over several lines, each with its part",
      path: "a.c",
      text: "/* one\n two */ int x",
      lines: [["comment:/* one"], ["comment: two */", "keyword:int"]],
    },
    {
      name: "a comment that never ends is one to the end",
      path: "a.go",
      text: "x /* a\nb",
      lines: [["comment:/* a"], ["comment:b"]],
    },
    {
      name: "triple quotes and hashes of Python",
      path: "a.py",
      text: '"""doc\nmore"""\nif x: # so',
      lines: [['string:"""doc'], ['string:more"""'], ["keyword:if", "comment:# so"]],
    },
    {
      name: "an apostrophe that closes nowhere is no string",
      path: "a.rs",
      text: "fn f<'a>(x: &'a str)",
      lines: [["keyword:fn", "string:'a>(x: &'"]],
    },
    {
      name: "SQL in any case",
      path: "a.sql",
      text: "SELECT 1 -- all",
      lines: [["keyword:SELECT", "number:1", "comment:-- all"]],
    },
    { name: "a sign within a word begins no comment", path: "a.sh", text: "echo a#b", lines: [[]] },
    { name: "blank lines stay lines", path: "a.json", text: "\n\ntrue\n", lines: [[], [], ["keyword:true"]] },
  ])("$name", ({ path, text, lines }) => {
    expect(told(text, path)).toEqual(lines)
  })

  it("says nothing of endings it does not know, of prose, and of no path", () => {
    expect(highlightLines("if 1", "notes.txt")).toBeNull()
    expect(highlightLines("if 1", "README.md")).toBeNull()
    expect(highlightLines("if 1", null)).toBeNull()
  })

  it("looks through hostile text in one pass", () => {
    for (const piece of ["'\\", "`\\`", '"\\"', "/*", "<!--", '"""', "'''"]) {
      for (const path of ["a.ts", "a.py", "a.html", "a.rs"]) {
        expect(highlightLines(piece.repeat(10_000), path)).not.toBeNull()
      }
    }
  })
})
