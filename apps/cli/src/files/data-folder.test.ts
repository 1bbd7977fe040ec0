import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { dataFolder, openDataFolder } from "./data-folder.ts"

describe("dataFolder", () => {
  it.each([
    { name: "as written, from where the user is", written: "here", env: { BYLEAVE_DATA: "/env" }, is: "/cwd/here" },
    { name: "by the environment", env: { BYLEAVE_DATA: "/env", XDG_DATA_HOME: "/xdg" }, is: "/env" },
    { name: "by XDG", env: { XDG_DATA_HOME: "/xdg" }, is: "/xdg/byleave" },
    {
      name: "not by a relative XDG, which its specification ignores",
      env: { XDG_DATA_HOME: "xdg" },
      is: "/home/ada/.local/share/byleave",
    },
    { name: "below the home", env: {}, is: "/home/ada/.local/share/byleave" },
    { name: "on a Mac", platform: "darwin", env: {}, is: "/home/ada/Library/Application Support/byleave" },
    { name: "on Windows", platform: "win32", env: { LOCALAPPDATA: "/local" }, is: "/local/byleave" },
  ])("is $name", ({ written, env, platform = "linux", is }) => {
    const io = { env: new Map(Object.entries(env)), cwd: "/cwd", home: "/home/ada", platform }
    expect(dataFolder(written, io)).toBe(is)
  })
})

it("is its owner's alone, also where it was not before", () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-data-"))
  const data = join(folder, "a", "b")
  openDataFolder(data)
  expect(statSync(data).mode & 0o777).toBe(0o700)
  rmSync(folder, { recursive: true })
})
