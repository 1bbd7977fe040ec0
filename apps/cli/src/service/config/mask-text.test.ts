import { nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { describe, expect, it } from "vitest"
import { createLiveRedactor } from "./live-redactor.ts"
import { maskText } from "./mask-text.ts"

function masked(text: string) {
  const env = new Map([["TOKEN", "from-the-environment"]])
  const loaded = loadConfig(text, { name: "byleave.yaml", folder: "/x", env, hasher: nodeHasher })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const redactor = createLiveRedactor()
  redactor.learn(loaded.config.secrets)
  const { config, warnings } = loaded
  return maskText({ text, config, warnings, redactText: redactor.redactText })
}
const server = (lines: string) => `version: 1\nservers:\n  a:\n    command: run\n${lines}\npolicy: { rules: [] }\n`

describe("a configuration's text", () => {
  it.each([
    { name: "in the environment", text: server('    env: { API_TOKEN: "hunter22 and more" }'), hides: "hunter22" },
    { name: "in quotes that escape", text: server('    env: { API_TOKEN: "say \\"hunter22\\"" }'), hides: "hunter22" },
    { name: "in single quotes", text: server("    env: { API_TOKEN: 'it''s hunter22' }"), hides: "hunter22" },
    { name: "among arguments", text: server('    args: ["--token", "hunter22"]'), hides: "hunter22" },
    { name: "in an argument", text: server('    args: ["--api-key=hunter22"]'), hides: "hunter22" },
    {
      name: "by its looks, in a comment",
      text: server("    # was sk-abcdefghijklmnopqrstuv"),
      hides: "abcdefghijklmnop",
    },
    {
      name: "in JSON",
      text: '{ "mcpServers": { "a": { "command": "run", "env": { "API_TOKEN": "hunter22" } } } }\n',
      hides: "hunter22",
    },
  ])("hides a secret $name, and gives it back unchanged", ({ text, hides }) => {
    const shown = masked(text)
    expect(shown?.text).toMatch(/‹secret-1-of-\d+-characters›/)
    expect(shown?.text).not.toContain(hides)
    expect(shown?.restore(shown.text)).toBe(text)
    expect(shown?.restore(`${shown.text}# more\n`)).toBe(`${text}# more\n`)
  })

  it("shows references to the environment as they are", () => {
    const text = server(`    env: { API_TOKEN: "\${TOKEN}" }`)
    expect(masked(text)?.text).toBe(text)
  })

  it.each([
    { name: "over several lines", text: server("    env:\n      API_TOKEN: |\n        one\n        two") },
    { name: "in signs that are written otherwise", text: server('    env: { API_TOKEN: "hunt\\x65r22" }') },
    { name: "too short to be told from anything else", text: server("    env: { API_TOKEN: abc }") },
  ])("is not shown at all with a secret $name", ({ text }) => {
    expect(masked(text)).toBeNull()
  })

  it("keeps how its lines end, and a mark at its beginning", () => {
    const text = `\uFEFF${server("    env: { API_TOKEN: hunter22 }").replaceAll("\n", "\r\n")}`
    const shown = masked(text)
    expect(shown?.text).not.toMatch(/\r|\uFEFF/)
    expect(shown?.restore(shown.text)).toBe(text)
  })

  it("takes masks only in the lines they stand in, each once", () => {
    const shown = masked(server("    env: { API_TOKEN: hunter22 }"))
    const [line = ""] = shown?.text.split("\n").filter((each) => each.includes("‹")) ?? []
    expect(shown?.restore("a: ‹secret-2-of-8-characters›")).toBeNull()
    expect(shown?.restore("reason: ‹secret-1-of-8-characters›")).toBeNull()
    expect(shown?.restore(`${line}\n${line}`)).toBeNull()
    expect(shown?.restore(`a: b\n${line}`)).toBe("a: b\n    env: { API_TOKEN: hunter22 }")
    expect(shown?.restore("a: b")).toBe("a: b")
  })

  it("says where a column of the file is in the line that is shown", () => {
    const shown = masked(server("    env: { API_TOKEN: hunter22, B: c }"))
    const line = shown?.text.split("\n")[4] ?? ""
    const column = "    env: { API_TOKEN: hunter22, B: c }".indexOf("B: c") + 1
    expect(line.slice((shown?.columnIn(line, column) ?? 0) - 1)).toBe("B: c }")
    expect(shown?.columnIn(line, 5)).toBe(5)
  })
})
