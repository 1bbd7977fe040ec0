import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
const scripts = new Map(Object.entries((manifest as { scripts: Record<string, string> }).scripts))
const setup = "node scripts/setup.mjs"

it.each([...scripts.keys()].filter((name) => !name.startsWith("pre")))("npm run %s sets up what it needs", (name) => {
  const command = scripts.get(name) ?? ""
  expect(command.startsWith(setup) || scripts.get(`pre${name}`)?.startsWith(setup)).toBe(true)
})
