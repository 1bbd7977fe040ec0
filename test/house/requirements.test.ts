import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { laterPieces, requirementRanges } from "./requirements.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const rows = readRows(readFileSync(join(root, "docs/requirements.md"), "utf8"))
const cited = citedNumbers()

describe("docs/requirements.md", () => {
  it("has each requirement once, in order", () => {
    const wanted = requirementRanges.flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, at) => first + at),
    )
    expect(rows.map(({ number }) => number)).toEqual(wanted)
  })

  it("calls tested exactly what a test cites", () => {
    const tested = rows.filter(({ today }) => today === "tested").map(({ number }) => number)
    expect(tested).toEqual(rows.map(({ number }) => number).filter((number) => cited.has(number)))
  })

  it("gives everything that is not tested to a later piece, and names no piece that is not planned", () => {
    const ownerless = rows.filter(({ today, later }) => today !== "tested" && later === "")
    expect(ownerless).toEqual([])
    expect(rows.filter(({ later }) => later !== "" && !laterPieces.includes(later))).toEqual([])
  })
})

type Row = { readonly number: number; readonly today: string; readonly later: string }

function readRows(text: string): readonly Row[] {
  return [...text.matchAll(/^\| R(\d+) \|([^|]+)\|([^|]*)\|([^|]*)\|/gm)].map(
    ([, number, , today = "", later = ""]) => ({
      number: Number(number),
      today: today.trim(),
      // What stands in parentheses says which part of it is meant.
      later: later.replace(/\(.*\)/, "").trim(),
    }),
  )
}

function citedNumbers(): ReadonlySet<number> {
  const files = globSync("{packages,apps}/*/src/**/*.test.ts", { cwd: root }).concat(
    globSync(
      "test/{api,conformance,engine,faults,fuzz,gateway,gateway-faults,house,responses,runs,terminal}/**/*.test.ts",
      {
        cwd: root,
      },
    ),
    globSync("test/browser/**/*.spec.ts", { cwd: root }),
  )
  const citations = files.flatMap((file) => [
    ...readFileSync(join(root, file), "utf8").matchAll(/\bR(\d+)(?:-R(\d+))?\b/g),
  ])
  return new Set(
    citations.flatMap(([, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at),
    ),
  )
}
