import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findProgram } from "./find-program.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-find-"))
  for (const name of ["here", "there"]) {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, "notes-server"), "")
    chmodSync(join(folder, name, "notes-server"), 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true }))

describe("the file of a command", () => {
  const found = (path: string, command = "notes-server"): string | null =>
    findProgram(command, new Map([["PATH", path]]), join(folder, "here"))

  it("is the first that a named folder of PATH has", () => {
    expect(found(`/nowhere:${join(folder, "there")}:${join(folder, "here")}`)).toBe(join(folder, "there/notes-server"))
    expect(found("../there")).toBe(join(folder, "there/notes-server"))
  })

  it("I2: an empty part of PATH is no folder", () => {
    expect(found(`:${join(folder, "there")}`)).toBe(join(folder, "there/notes-server"))
    expect(found(":")).toBeNull()
    expect(findProgram("notes-server", new Map(), join(folder, "here"))).toBeNull()
  })

  it("is where its path leads, whatever PATH has", () => {
    expect(found(join(folder, "there"), "./notes-server")).toBe(join(folder, "here/notes-server"))
    expect(found(join(folder, "there"), "x\\y")).toBe(join(folder, "here/x\\y"))
  })
})
