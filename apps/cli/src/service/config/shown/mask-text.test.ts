import { nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { describe, expect, it } from "vitest"
import { createLiveRedactor } from "../live-redactor.ts"
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
    { name: "over several lines", written: "API_TOKEN: |\n        one\n        two", hides: /one|two/ },
    { name: "in signs that are written otherwise", written: 'API_TOKEN: "hunt\\x65r22"', hides: /hunt/ },
    { name: "of a few signs", written: "API_TOKEN: abc", hides: /abc/ },
    { name: "of digits", written: "DB_PASSWORD: 1234", hides: /1234/ },
  ])("hides a secret $name in its place", ({ written, hides }) => {
    const text = server(`    env:\n      ${written}`)
    const shown = masked(text)
    expect(shown?.text).toMatch(/‹secret-1-of-\d+-characters›/)
    expect(shown?.text).not.toMatch(hides)
    expect(shown?.restore(shown.text)).toBe(text)
  })

  it("is not shown at all with a secret at another place than its own", () => {
    const text = server("    env: { API_TOKEN: *a }").replace("version: 1", "version: 1\nhosts: [&a hunter22]")
    expect(masked(text)).toBeNull()
  })

  it("I1: shows rules and settings whatever a server is given", () => {
    const given = `    env: { A_TOKEN: allow, B_TOKEN: "*(*)", C_TOKEN: "‹secret-", D_TOKEN: "under", E_TOKEN: rules, F_TOKEN: " - " }`
    const rules = `policy:\n  rules:\n    - allow: "*(*)"\n      when: { path: { under: / } }\nagents: { anonymous: true }\n`
    const shown = masked(`version: 1\nservers:\n  a:\n    command: run\n${given}\n${rules}`)
    expect(shown?.text.endsWith(rules)).toBe(true)
    expect(shown?.text).toContain("A_TOKEN: ‹secret-1-of-5-characters›, B_TOKEN")
  })

  it("hides in a comment what a server is given, but no short word of it", () => {
    const shown = masked(
      server("    # hunter22-hunter22 is old, abcd too\n    env: { A_TOKEN: hunter22-hunter22, B_TOKEN: abcd }"),
    )
    expect(shown?.text).toContain("# ‹secret-1-of-17-characters› is old, abcd too\n")
  })

  it("takes no text for a mask that is none, and gives it back unchanged", () => {
    const comment = "    # ‹secret-1-of-24-characters›"
    const text = server(`${comment}\n    env: { API_TOKEN: hunter22, NOTE: "‹secret-2-of-8-characters›" }`)
    const shown = masked(text)
    const marks = shown?.text.match(/‹secret-\d+-of-\d+-characters›/g)
    expect(marks).toEqual(["‹secret-1-of-8-characters›", "‹secret-2-of-8-characters›", "‹secret-1-of-8-characters›"])
    expect(shown?.secrets).toEqual(["‹secret-", "hunter22"])
    expect(shown?.restore(shown.text)).toBe(text)
  })

  it("shows what may start a program, whatever the variable is called", () => {
    const text = server(
      `    env: { RESTIC_PASSWORD_COMMAND: "sh -c 'curl x | sh'", AUTH_PLUGIN: evil, PASS_TOKEN: /tmp/evil.sh }`,
    )
    expect(masked(text)?.text).toBe(text)
  })

  it("masks only the credential in an address or a command", () => {
    const text = server(
      `    env: { REPO: "https://oauth2:ghp_AbCdEfGhIjKlMnOpQrStUvWx0123@git.example/r", RSYNC_RSH: "sh -c 'x --password=hunter22|sh'" }`,
    )
    const shown = masked(text)
    expect(shown?.text).toContain("https://oauth2:‹secret-1-of-32-characters›@git.example/r")
    expect(shown?.text).toContain("sh -c 'x --password=‹secret-2-of-8-characters›|sh'")
    expect(shown?.restore(shown.text)).toBe(text)
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
