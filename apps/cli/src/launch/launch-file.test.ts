import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { keepLaunchFile, launchFile } from "./launch-file.ts"

const dayMs = 24 * 60 * 60 * 1000
const now = 1_800_000_000_000

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-launch-file-"))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keep = (text: string) => keepLaunchFile({ path: launchFile(folder, "gemini", text), text }, now)
const touch = (path: string, at: number) => utimesSync(path, at / 1000, at / 1000)
/** As many launches as the newest that always stay. */
const fill = () => {
  for (let at = 0; at < 32; at += 1) keep(`rules ${at}`)
}

describe("the file of a launch", () => {
  it("is another one for other rules, and the same for the same", () => {
    keep("strict")
    keep("loose")
    keep("strict")
    expect(readFileSync(launchFile(folder, "gemini", "strict"), "utf8")).toBe("strict")
    expect(readFileSync(launchFile(folder, "gemini", "loose"), "utf8")).toBe("loose")
    expect(readdirSync(folder)).toHaveLength(2)
    expect(statSync(launchFile(folder, "gemini", "strict")).mode & 0o077).toBe(0)
  })

  it("is removed a month after the last launch with it", () => {
    keep("old")
    keep("young")
    fill()
    touch(launchFile(folder, "gemini", "old"), now - 31 * dayMs)
    touch(launchFile(folder, "gemini", "young"), now - 29 * dayMs)
    keep("rules 0")
    expect(existsSync(launchFile(folder, "gemini", "old"))).toBe(false)
    expect(existsSync(launchFile(folder, "gemini", "young"))).toBe(true)
  })

  it("stays, however old, while it is one of the last: its program may still run", () => {
    keep("running")
    touch(launchFile(folder, "gemini", "running"), now - 400 * dayMs)
    keep("another")
    expect(existsSync(launchFile(folder, "gemini", "running"))).toBe(true)
  })

  it("is not removed where it is used again, however old it was", () => {
    keep("again")
    fill()
    touch(launchFile(folder, "gemini", "again"), now - 400 * dayMs)
    keep("again")
    expect(existsSync(launchFile(folder, "gemini", "again"))).toBe(true)
  })

  it("is the only kind of file that is removed", () => {
    const others = ["launch-gemini.txt", "launch-gemini-0.toml", "byleave.toml", `launch-${"a".repeat(32)}.toml.bak`]
    for (const name of others) {
      writeFileSync(join(folder, name), "")
      touch(join(folder, name), now - 400 * dayMs)
    }
    // The name that every launch had before.
    writeFileSync(join(folder, "launch-gemini.toml"), "")
    touch(join(folder, "launch-gemini.toml"), now - 400 * dayMs)
    fill()
    keep("new")
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(others))
    expect(existsSync(join(folder, "launch-gemini.toml"))).toBe(false)
  })
})
