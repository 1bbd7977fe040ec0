import { emptyPolicy, formatTargetPattern } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ruleLanguages } from "./languages.ts"

const options = { name: "rules", servers: ["files", "__proto__"] }
const isToml = (id: string) => id === "codex"

describe.each(ruleLanguages)("what $name cannot be", ({ id, read, write }) => {
  it("is never thrown at the reader, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((text) => `{"permissions":${text},"mcpServers":${text},"tools":${text}}`),
        ),
        (text) => {
          const result = read(text, options)
          if (!result.ok)
            for (const { line, column } of result.problems) expect(Math.min(line, column)).toBeGreaterThan(0)
        },
      ),
      { numRuns: 300 },
    )
  })

  it("is refused with its place when it is too large or too deep", () => {
    const open = isToml(id)
      ? `a = ${"[".repeat(50_000)}${"]".repeat(50_000)}`
      : `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`
    const deep = read(open, options)
    const large = read(isToml(id) ? `a = "${"x".repeat(300_000)}"` : `{"a": "${"x".repeat(8_100_000)}"}`, options)
    expect([deep, large]).toMatchObject([
      { ok: false, problems: [{ line: 1, where: "rules" }] },
      { ok: false, problems: [{ line: 1, column: 1, code: "too-large" }] },
    ])
  })

  it("does not take names of an object's own machinery for rules, and writes them back as they are", () => {
    const rules = ["__proto__", "constructor", "toString"].map((name) => ({
      ...{ id: name, effect: "allow" as const, origin: { where: "test" } },
      target: { server: name, kind: "tool" as const, name, whole: false },
    }))
    const policy = { ...emptyPolicy, rules }
    const { text } = write(policy, { known: new Map() })
    const again = read(text, { ...options, servers: rules.map(({ id: name }) => name) })
    if (!again.ok) throw new Error(JSON.stringify(again.problems))
    const allowed = again.rules
      .filter(({ effect }) => effect === "allow")
      .map(({ target }) => formatTargetPattern(target))
    // A language that joins names by `_` cannot tell where the first of them ends, and VS Code has no list of what runs.
    const unsure = ["vscode", "opencode", "claude-code", "qwen", "goose"].includes(id)
    expect(allowed.sort()).toEqual(
      unsure
        ? expect.arrayContaining(id === "vscode" ? [] : ["constructor(constructor)"])
        : rules.map(({ target }) => formatTargetPattern(target)).sort(),
    )
  })
})

describe("wrong types", () => {
  it.each([
    { id: "claude-code", text: '{"permissions": {"allow": 7}}', path: "permissions.allow", line: 1 },
    { id: "claude-code", text: '{"permissions":\n {allow: [mcp__files]}}', path: "", line: 2 },
    { id: "qwen", text: "{'permissions': {}}", path: "", line: 1 },
    { id: "claude-code", text: '{"permissions": {"allow": ["a",\n 7]}}', path: "permissions.allow[1]", line: 2 },
    {
      id: "codex",
      text: '[mcp_servers.a]\ndefault_tools_approval_mode = "aprove"',
      path: "mcp_servers.a.default_tools_approval_mode",
      line: 2,
    },
    { id: "codex", text: "a = 1\na = 2", path: "", line: 2 },
    {
      id: "gemini",
      text: '[[rule]]\ntoolName = "*"\npriority = "x"\ndecision = "deny"',
      path: "rule[0].priority",
      line: 3,
    },
    { id: "gemini", text: '[[rule]]\nmcpName = "*"', path: "rule[0]", line: 1 },
    { id: "goose", text: "user:\n  always_allow: yes please", path: "user.always_allow", line: 2 },
    { id: "opencode", text: '{"permission": {"x_y": "maybe"}}', path: "permission.x_y", line: 1 },
    { id: "copilot", text: "--allow-tool 'files", path: "", line: 1 },
    { id: "byleave", text: '{"format": "byleave-policy", "version": 2}', path: "version", line: 1 },
    {
      id: "byleave",
      text: '{"format": "byleave-policy", "version": 1, "rules": [{"alow": "x"}]}',
      path: "rules[0].alow",
      line: 1,
    },
    {
      id: "openai",
      text: '{"tools": [{"type": "mcp", "server_label": "a", "require_approval": "no"}]}',
      path: "tools[0].require_approval",
      line: 1,
    },
  ])("$id refuses $text at $path", ({ id, text, path, line }) => {
    const result = ruleLanguages.find((language) => language.id === id)?.read(text, options)
    expect(result).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ path, line })]),
    })
  })
})

it.each([
  { id: "claude-code", text: (name: string) => JSON.stringify({ permissions: { deny: [`mcp__${name}`] } }) },
  { id: "opencode", text: (name: string) => JSON.stringify({ permission: { [name]: "deny" } }) },
  { id: "goose", text: (name: string) => `user:\n  never_allow: ["${name}"]\n` },
  { id: "gemini", text: (name: string) => `[[rule]]\ntoolName = "mcp_${name}"\ndecision = "deny"\npriority = 1\n` },
  { id: "copilot", text: (name: string) => `--excluded-tools 'a${name.replaceAll("_", "-")}'` },
])("$id: a name with thousands of places to take it apart is refused, and not dropped", ({ id, text }) => {
  const read = ruleLanguages.find((language) => language.id === id)?.read
  expect(read?.(text("_".repeat(50_000)), options)).toMatchObject({ ok: false, problems: [{ code: "too-large" }] })
})
