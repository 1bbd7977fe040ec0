import { execFile } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"

const examples = fileURLToPath(new URL("../../examples/", import.meta.url))
const names = readdirSync(examples).filter((name) => !name.startsWith("."))

describe("the examples", () => {
  it.each(names)("R208: %s has a README and runs to its end, where all it asserts holds", async (name) => {
    expect(existsSync(`${examples}${name}/README.md`)).toBe(true)
    const { stdout } = await promisify(execFile)(process.execPath, [`${examples}${name}/main.ts`])
    expect(stdout).not.toBe("")
  })
})
