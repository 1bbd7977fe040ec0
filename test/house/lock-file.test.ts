import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { lockFileProblems } from "../../scripts/lock-file-problems.ts"

const lock = (entry: object) => JSON.stringify({ packages: { "": {}, "node_modules/a": entry } })

describe("the lock file check", () => {
  it.each([
    { name: "a version with its integrity", entry: { version: "1.0.0", integrity: "sha512-x" }, problems: 0 },
    { name: "a link to a workspace", entry: { resolved: "packages/core", link: true }, problems: 0 },
    { name: "a link out of the project", entry: { resolved: "../elsewhere", link: true }, problems: 1 },
    {
      name: "a download address",
      entry: { resolved: "https://example.com/a.tgz", integrity: "sha512-x" },
      problems: 1,
    },
    { name: "a file of one machine", entry: { resolved: "file:/home/me/a.tgz", integrity: "sha512-x" }, problems: 1 },
    { name: "no integrity", entry: { version: "1.0.0" }, problems: 1 },
  ])("finds $problems in $name", ({ entry, problems }) => {
    expect(lockFileProblems(lock(entry))).toHaveLength(problems)
  })
})

const hosts = fileURLToPath(new URL("../hosts/", import.meta.url))

it.each(globSync("*/package-lock.json", { cwd: hosts }))("test/hosts/%s can be installed anywhere", (file) => {
  expect(lockFileProblems(readFileSync(`${hosts}${file}`, "utf8"))).toEqual([])
})
