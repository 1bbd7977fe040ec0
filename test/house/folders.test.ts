import { execFileSync } from "node:child_process"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** A reader takes in about 25 names at a glance; a few more may wait for the next tidying. */
const most = 30
/** A list by number, read one at a time. */
const lists = ["docs/decisions"]

it(`no folder holds more than ${most} files: it has rooms before`, () => {
  const counts = new Map<string, number>()
  for (const file of execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n")) {
    const folder = dirname(file)
    if (!folder.includes("fixtures") && !lists.includes(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count > most)).toEqual([])
})
