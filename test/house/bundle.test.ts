import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs"
import { homedir, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildCommand } from "../../scripts/build.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const run = promisify(execFile)

describe("the bundle", () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bundle-"))
  const dist = join(folder, "dist")
  const byleave = (...args: string[]) => run(process.execPath, [join(dist, "byleave.js"), ...args], { cwd: folder })
  beforeAll(async () => {
    // The driver of PostgreSQL stays outside, and is found from where the bundle is.
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    await buildCommand(dist)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it("has every command", async () => {
    const { stdout } = await byleave("--help")
    const sources = await run(process.execPath, [join(root, "apps/cli/src/main.ts"), "--help"])
    expect(stdout).toBe(sources.stdout)
  })

  it("checks a policy", async () => {
    const { stdout } = await byleave("policy", "check", "--json", "--config", join(root, "examples/demo/byleave.yaml"))
    expect(JSON.parse(stdout)).toMatchObject({ ok: true })
  })

  it("loads neither the library of models nor the Responses API before somebody uses a run", () => {
    const isModels = (name: string): boolean =>
      /AI_APICallError|mcp_approval_response/.test(readFileSync(join(dist, name), "utf8"))
    const names = readdirSync(dist).filter((name) => name.endsWith(".js"))
    expect(names.filter(isModels)).not.toEqual([])
    const needed = new Set(names.filter((name) => /^(?:byleave|serve|wrap|run|runs)[.-]/.test(name)))
    for (const name of needed) {
      const text = readFileSync(join(dist, name), "utf8")
      for (const [, part = ""] of text.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) needed.add(part)
    }
    expect(needed.size).toBeGreaterThan(10)
    expect([...needed].filter(isModels)).toEqual([])
  })

  it("names no place of the machine it was built on", () => {
    const names = readdirSync(dist)
    const telling = names.filter((name) => {
      const text = readFileSync(join(dist, name), "utf8")
      return [root, tmpdir(), `${homedir()}/`].some((place) => text.includes(place))
    })
    expect(names.length).toBeGreaterThan(20)
    expect(telling).toEqual([])
  })
})

it("bin/byleave runs the bundle, made where it is missing or older than its sources", async () => {
  const { stdout } = await run(join(root, "bin/byleave"), ["--version"])
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  const built = statSync(join(root, "apps/cli/dist/built")).mtimeMs
  expect(built).toBeGreaterThan(statSync(join(root, "apps/cli/src/main.ts")).mtimeMs)
})
