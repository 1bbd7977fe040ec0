import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, expect, it } from "vitest"
import { takeFolderLock } from "./folder-lock.ts"

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-lock-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const module = fileURLToPath(new URL("./folder-lock.ts", import.meta.url))

async function holdElsewhere(): Promise<ChildProcess> {
  const program = `import { takeFolderLock } from ${JSON.stringify(module)}
    const lock = takeFolderLock(process.argv[1], "service")
    console.log(lock === null ? "taken" : "held")
    setInterval(() => lock, 1000)`
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program, folder], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [line] = await once(child.stdout, "data")
  expect(String(line)).toBe("held\n")
  return child
}

it("is one process's at a time, and free again as soon as that one is gone, however it went", async () => {
  const child = await holdElsewhere()
  expect(takeFolderLock(folder, "service")).toBeNull()
  child.kill("SIGKILL")
  await once(child, "exit")
  const lock = takeFolderLock(folder, "service")
  expect(lock).not.toBeNull()
  lock?.free()
})

it("is taken once in a process, and again after it was freed", () => {
  const lock = takeFolderLock(folder, "service")
  expect(takeFolderLock(folder, "service")).toBeNull()
  const other = takeFolderLock(folder, "starting")
  expect(other).not.toBeNull()
  other?.free()
  lock?.free()
  const again = takeFolderLock(folder, "service")
  expect(again).not.toBeNull()
  again?.free()
})
