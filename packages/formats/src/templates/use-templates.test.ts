import { compilePolicy, decide, idleUsage, indexGrants, type JsonObject, type Policy, toolFacts } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import { type LoadOptions, loadConfig } from "../load-config.ts"

const options = (files: Readonly<Record<string, string>> = {}): LoadOptions => ({
  ...{ name: "byleave.yaml", folder: "/srv/team", home: "/home/ada", env: new Map(), hasher: nodeHasher },
  readTemplate: (path) => files[path] ?? null,
})

const withUse = (use: string, more = "") =>
  `version: 1\nservers:\n  files: { command: x }\npolicy:\n  use: ${use}\n${more}`

function load(text: string, files?: Readonly<Record<string, string>>): Policy {
  const loaded = loadConfig(text, options(files))
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  return loaded.config.policy
}

function problems(text: string, files?: Readonly<Record<string, string>>) {
  const loaded = loadConfig(text, options(files))
  return loaded.ok
    ? []
    : loaded.problems.map(({ where, line, code, message }) => ({ at: `${where}:${line}`, code, message }))
}

function effect(policy: Policy, tool: string, args: JsonObject = {}): string {
  const server = policy.servers.find(({ id }) => id === "files")
  const facts = toolFacts({
    ...{ tool: { server: "files", tool }, definition: null, server, classify: policy.classify },
    ...{ pin: "accepted" as const, fingerprint: "" },
  })
  return decide(compilePolicy(policy), indexGrants([]), {
    ...{ target: { server: "files", kind: "tool", name: tool }, args, tool: facts, principal: { id: "a" }, now: 1 },
    ...{ session: { principal: "a", id: "s", named: true }, state: { mode: "ask", usage: idleUsage } },
  }).effect
}

describe("policy.use", () => {
  it("puts a built-in template's rules beside the file's own, and says where they come from (R34, R35)", () => {
    const policy = load(withUse("[read-only]", '  rules: [{ hide: "files(admin_*)" }]\n'))
    expect(policy.rules.map(({ id }) => id).slice(0, 2)).toEqual(["rules[0]", "read-only@1/rules[0]"])
    expect(policy.rules[1]?.origin).toEqual({ where: "template read-only@1", template: "read-only@1" })
    expect(policy.rules[0]?.origin).toMatchObject({ where: "byleave.yaml", line: 6 })
  })

  it("binds a server's template to a server by its id", () => {
    const policy = load(withUse("[{ filesystem: files }]"))
    expect(["read_text_file", "write_file", "move_file"].map((tool) => effect(policy, tool))).toEqual([
      "allow",
      "ask",
      "ask",
    ])
    expect(effect(policy, "read_text_file", { path: "/srv/team/.env" })).toBe("ask")
    const both = load(withUse("[read-only, { filesystem: [files, docs] }]"))
    expect(effect(both, "write_file")).toBe("deny")
    expect(effect(both, "read_text_file", { path: "a.md" })).toBe("allow")
    expect(both.classify.filter(({ target }) => target.server === "docs").length).toBeGreaterThan(0)
  })

  it("reads own templates from files, relative to the configuration (R34)", () => {
    const team = 'version: 1\npolicy:\n  default: deny\n  rules:\n    - allow: "files(read_*)"\n'
    const policy = load(withUse("[./shared/team.yaml]"), { "/srv/team/shared/team.yaml": team })
    expect(policy.default).toBe("deny")
    expect(policy.rules.map(({ id, origin }) => [id, origin])).toEqual([
      [
        "./shared/team.yaml/rules[0]",
        { where: "/srv/team/shared/team.yaml", line: 5, column: 7, template: "./shared/team.yaml" },
      ],
    ])
  })

  it("starts relative folders of a template at the template's own folder", () => {
    const team =
      'version: 1\npolicy:\n  rules:\n    - allow: "this(write_file)"\n      when: { path: { under: ./notes } }\n'
    const policy = load(withUse("[{ ./shared/team.yaml: files }]"), { "/srv/team/shared/team.yaml": team })
    expect(effect(policy, "write_file", { path: "/srv/team/shared/notes/a" })).toBe("allow")
    expect(effect(policy, "write_file", { path: "/srv/team/notes/a" })).toBe("ask")
  })

  it.each([
    { name: "the file's own", more: "  default: deny\n", use: "[ask-for-writes]", is: "deny" },
    { name: "a template's", more: "  default: allow\n", use: "[ask-for-writes]", is: "ask" },
    { name: "another template's", more: "", use: "[ask-for-writes, locked-down]", is: "deny" },
  ])("takes the strictest default: $name", ({ more, use, is }) => {
    expect(load(withUse(use, more)).default).toBe(is)
  })

  const team = (policy: string) => ({ "/srv/team/team.yaml": `version: 1\n${policy}` })
  it.each([
    { use: "[read-onyl]", files: {}, at: "byleave.yaml:5", says: "Did you mean `read-only`?" },
    {
      use: "[read-only@9]",
      files: {},
      at: "byleave.yaml:5",
      says: "no version 9 of `read-only`. It has: read-only@1.",
    },
    { use: "[filesystem]", files: {}, at: "byleave.yaml:5", says: "Write `{ filesystem: SERVER }`" },
    { use: "[{ read-only: files }]", files: {}, at: "byleave.yaml:5", says: "without a server" },
    { use: "[read-only, read-only]", files: {}, at: "byleave.yaml:5", says: "used twice" },
    { use: "[./team.yaml]", files: {}, at: "byleave.yaml:5", says: "The template /srv/team/team.yaml cannot be read" },
    { use: "[./team.yaml]", files: team("policy: ["), at: "/srv/team/team.yaml:2", says: "" },
    {
      use: "[./team.yaml]",
      files: team("policy: { use: [read-only] }"),
      at: "/srv/team/team.yaml:2",
      says: "not known",
    },
    {
      use: "[./team.yaml]",
      files: team("policy: {}\nservers: {}"),
      at: "/srv/team/team.yaml:3",
      says: "`servers` is not known",
    },
    {
      use: "[./team.yaml]",
      files: team("policy: { default: allow }"),
      at: "/srv/team/team.yaml:2",
      says: "cannot make",
    },
    {
      use: "[./team.yaml]",
      files: team("policy: { rules: [{ allow: this(x) }] }"),
      at: "/srv/team/team.yaml:2",
      says: "`this`",
    },
    {
      use: "[{ ./team.yaml: files }]",
      files: team("policy: { rules: [{ allow: x(y) }] }"),
      at: "/srv/team/team.yaml:2",
      says: "`this` alone",
    },
    { use: "yes", files: {}, at: "byleave.yaml:5", says: "must be a list" },
  ])("refuses the file, with the place: use: $use, $says", ({ use, files, at, says }) => {
    const [first] = problems(withUse(use), files)
    expect(first?.at).toBe(at)
    expect(first?.message).toContain(says)
  })

  it("warns of a server that the file does not have, since it may be wrapped", () => {
    const loaded = loadConfig(withUse("[{ filesystem: flies }]"), options())
    expect(loaded.ok && loaded.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("Did you mean `files`?"),
    ])
  })
})
