import type { JsonObject, JsonValue } from "@byleave/core"
import fc from "fast-check"
import { createElement, Fragment, type ReactElement } from "react"
import { describe, expect, it } from "vitest"
import { openedHtml } from "../fixtures/drawn-page.ts"
import { argTree } from "./arg-tree.ts"
import { ArgumentTable } from "./argument-rows.tsx"
import { firstRows, moreEntries, moreRows, type ShownCounts, tableRows, toggled } from "./shown-rows.ts"

const many = <Each>(count: number, each: (at: number) => Each): Each[] =>
  Array.from({ length: count }, (_, at) => each(at))
const treeOf = (args: JsonObject) => argTree(args, [])
const cube = Object.fromEntries(many(30, (at) => [`k${at}`, many(30, () => many(30, (inner) => inner))]))

/** The table in HTML; `opened`: how often all folds of its card were opened. */
function drawn(args: JsonObject, opened = 0): string {
  return openedHtml(tableOf(args), opened)
}

function tableOf(args: JsonObject): ReactElement {
  const secrets = { hidden: new Set<string>(), all: [], reveal: () => {} }
  return createElement(ArgumentTable, { tree: treeOf(args), showing: { secrets, elsewhere: new Set<string>() } })
}

const rowsDrawn = (html: string): number => html.split("<tr").length - 2

describe("a table of arguments", () => {
  it.each([
    { name: "thirty lists of thirty lists of thirty", args: cube, opened: 0, most: 200 },
    { name: "the same, when all folds are opened", args: cube, opened: 1, most: 700 },
    {
      name: "long lists within a list, when all are opened",
      args: { a: many(45, () => many(530, (at) => at)) },
      opened: 1,
      most: 800,
    },
    { name: "lists in lists, one in each", args: { a: nested(400) }, opened: 0, most: 210 },
  ])("I1: draws few rows of $name", ({ args, opened, most }) => {
    expect(rowsDrawn(drawn(args, opened))).toBeLessThanOrEqual(most)
  })

  it("I1: opens a part of many long texts with one press, and all of them with more", () => {
    const args = Object.fromEntries(many(100, (at) => [`k${at}`, "ก".repeat(20_000)]))
    const letters = (opened: number) => drawn(args, opened).split("ก").length - 1
    expect(letters(1)).toBeLessThan(100 * 1_000 + 100_000)
    expect(letters(2) - letters(1)).toBeLessThanOrEqual(100_000)
    expect(letters(20)).toBe(100 * 20_000)
  })

  it("shares with the other tables of its card what one press opens", () => {
    const texts = Object.fromEntries(many(4, (at) => [`k${at}`, "ก".repeat(20_000)]))
    const letters = (opened: number) => {
      const tables = many(3, (key) => createElement(Fragment, { key }, tableOf(texts)))
      return openedHtml(createElement(Fragment, {}, tables), opened).split("ก").length - 1
    }
    expect(letters(1) - letters(0)).toBeLessThanOrEqual(100_000)
    expect(letters(3)).toBe(12 * 20_000)
  })

  it("draws every row of a call that a page can hold", () => {
    const entities = many(30, (at) => ({ name: `n${at}`, tags: ["a"], about: { kind: "x" } }))
    expect(drawn({ entities: entities.slice(0, 20) })).not.toContain("Show ")
    expect(rowsDrawn(drawn({ entities: entities.slice(0, 20) }))).toBe(1 + 20 * 6)
  })

  it("I3: says how many entries it has folded away, and how many rows they take", () => {
    expect(drawn(cube)).toContain("Show 30 entries, 930 rows in all")
    expect(drawn({ ids: many(1_204, (at) => at) })).toContain("Show 1,204 entries<")
    expect(drawn({ ids: many(1_204, (at) => at) }, 1)).toContain("Show 500 of 704 more entries")
  })

  it("keeps what follows a long list in sight", () => {
    expect(drawn({ ids: many(100, (at) => at), mode: "delete" })).toContain("delete")
  })

  it("folds a list away with what was opened in it", () => {
    const tree = treeOf({ a: [[1, 2], many(900, (at) => at)] })
    const [a] = tree
    if (a === undefined) throw new Error("no argument")
    const all = moreRows(tree, moreRows(tree, firstRows(tree)))
    expect(hiddenOf(tree, all)).toBe(0)
    const again = toggled(toggled(all, a), a)
    expect(hiddenOf(tree, again)).toBe(900)
    const list = a.inner[1]?.pointer ?? ""
    expect(hiddenOf(tree, moreEntries(again, list))).toBe(400)
  })
})

describe("rows of any arguments", () => {
  const list = (inner: fc.Arbitrary<JsonValue>, maxLength: number) => fc.array(inner, { maxLength, size: "max" })
  const leaf: fc.Arbitrary<JsonValue> = fc.constant(1)
  const deep = fc.oneof(leaf, list(leaf, 45))
  const args = list(fc.oneof(leaf, list(fc.oneof(leaf, list(deep, 4)), 6)), 45).map(
    (list): JsonObject => Object.fromEntries(list.map((value, at) => [`${at}`, value])),
  )

  it("I1, I2, I3: are added step by step until none is left, and never go", () => {
    fc.assert(
      fc.property(args, fc.integer({ min: 1, max: 50 }), (object, step) => {
        const tree = treeOf(object)
        let counts = firstRows(tree)
        expect(drawnOf(tree, counts)).toBeLessThanOrEqual(200)
        for (let press = 0; press < 20; press += 1) {
          const [before, hidden] = [drawnOf(tree, counts), hiddenOf(tree, counts)]
          const next = moreRows(tree, counts, step)
          for (const [pointer, count] of counts) expect(next.get(pointer)).toBeGreaterThanOrEqual(count)
          expect(drawnOf(tree, next) - before).toBe(Math.min(step, hidden))
          expect(drawnOf(tree, next) + hiddenOf(tree, next)).toBe(before + hidden)
          counts = next
        }
      }),
      { numRuns: 60 },
    )
  })
})

type Tree = ReturnType<typeof treeOf>

function drawnOf(tree: Tree, counts: ShownCounts): number {
  return tableRows(tree, counts).filter(({ kind }) => kind === "value").length
}

/** As the rows say it, with what stands within entries that are not drawn. */
function hiddenOf(tree: Tree, counts: ShownCounts): number {
  return allRows(tree) - drawnOf(tree, counts)
}

function allRows(nodes: Tree): number {
  return nodes.reduce((count, { inner }) => count + 1 + allRows(inner), 0)
}

function nested(depth: number): JsonValue {
  return depth === 0 ? 1 : [nested(depth - 1)]
}
