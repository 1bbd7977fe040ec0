import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { chosenStore, keepStore } from "./chosen-store.ts"

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "byleave-store-"))
})
afterEach(() => rmSync(data, { recursive: true }))

const ours = "postgres://me:pa55word@db.example/byleave"
const by = (store?: string) => ({ env: new Map(store === undefined ? [] : [["BYLEAVE_STORE", store]]) })
const otherwise = { problem: expect.stringContaining("byleave serve --store") }

it("is by the environment at first, and sqlite without it", () => {
  expect(chosenStore(data, undefined, by(ours))).toEqual({ store: ours })
  expect(chosenStore(data, undefined, by())).toEqual({ store: "sqlite" })
})

it("I1: stays the one it was first used with, whatever the environment says, until somebody writes another", () => {
  keepStore(data, "sqlite")
  expect(chosenStore(data, undefined, by())).toEqual({ store: "sqlite" })
  expect(chosenStore(data, undefined, by(ours))).toMatchObject(otherwise)
  expect(chosenStore(data, ours, by())).toEqual({ store: ours })
  keepStore(data, ours)
  expect(chosenStore(data, undefined, by(ours))).toEqual({ store: ours })
  for (const other of [undefined, "sqlite", ours.replace("db.", "db2."), ours.replace("/byleave", "/other")]) {
    expect(chosenStore(data, undefined, by(other))).toMatchObject(otherwise)
  }
})

it("I1: holds for a folder whose records are older than this rule", () => {
  writeFileSync(join(data, "byleave.db"), "")
  expect(chosenStore(data, undefined, by(ours))).toMatchObject(otherwise)
})

it("is the same with another password, and neither is written down", () => {
  keepStore(data, ours)
  expect(chosenStore(data, undefined, by(ours.replace("pa55word", "changed")))).toHaveProperty("store")
  expect(readFileSync(join(data, "store"), "utf8")).not.toMatch(/pa55word|db\.example|me/)
})
