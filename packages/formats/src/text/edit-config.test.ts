import { readFileSync } from "node:fs"
import { parseTargetPattern, type Rule } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { loadConfig } from "../load-config.ts"
import { type ConfigEdit, editConfig, editRules } from "./edit-config.ts"
import { ruleLines, type WrittenRule, writtenRule } from "./written-rule.ts"

const file = `# Who may do what here.
version: 1
servers:
  files:
    command:   npx    # aligned by hand
    args: [ "-y",
            "server" ]
  tracker: { url: "https://tracker.example.com/mcp" }   # one line


policy:
  rules:
    # Nothing is moved.
    - deny: 'files(move_file)'   # single quotes
      reason: >
        Moves are done
        by hand here.

    # Reading is fine.
    - allow: "files(read_*)"
      access:   read # only that
limits: {bulk: {writes: 3, within: 1m}}
# The end.
`

const env = new Map([
  ["TRACKER_TOKEN", "t"],
  ["FILES_KEY", "f"],
  ["HOME", "/home/ada"],
])
const load = (text: string) =>
  loadConfig(text, { name: "byleave.yaml", folder: "/etc", home: "/home/ada", env, hasher: nodeHasher })

function edited(text: string, ...edits: readonly ConfigEdit[]): string {
  const result = editConfig(text, edits)
  if (!result.ok) throw new Error(result.refusal.message)
  return result.text
}

/** The lines only one of the two texts has. */
function changedLines(before: string, after: string): { gone: string[]; come: string[] } {
  const old = before.split("\n")
  const now = after.split("\n")
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) }
}

describe("an edit touches nothing else", () => {
  const newRule = { allow: "files(write_file)", when: { path: { under: "./drafts" } } }
  type Case = { name: string; edit: ConfigEdit; gone: string[]; come: string[] }
  const cases: readonly Case[] = [
    {
      name: "a rule added",
      edit: { kind: "add-rule", rule: newRule },
      gone: [],
      come: ['    - allow: "files(write_file)"', '      when: { path: { under: "./drafts" } }'],
    },
    {
      name: "a rule replaced keeps its comments",
      edit: { kind: "replace-rule", index: 1, rule: { ask: "files(read_*)" } },
      gone: ['    - allow: "files(read_*)"', "      access:   read # only that"],
      come: ['    - ask: "files(read_*)" # only that'],
    },
    {
      name: "a rule removed",
      edit: { kind: "remove-rule", index: 0 },
      gone: [
        "    - deny: 'files(move_file)'   # single quotes",
        "      reason: >",
        "        Moves are done",
        "        by hand here.",
      ],
      come: [],
    },
    { name: "the default set", edit: { kind: "set-default", default: "deny" }, gone: [], come: ['  default: "deny"'] },
    {
      name: "R65, R133: a server's approval mode set",
      edit: { kind: "set-approval", server: "files", approval: "always" },
      gone: [],
      come: ['    approval: "always"'],
    },
    {
      name: "an approval mode set within one line",
      edit: { kind: "set-approval", server: "tracker", approval: "refuse" },
      gone: ['  tracker: { url: "https://tracker.example.com/mcp" }   # one line'],
      come: ['  tracker: { url: "https://tracker.example.com/mcp", approval: "refuse" }   # one line'],
    },
    {
      name: "a limit set",
      edit: { kind: "set-limit", limit: "bulk", value: { writes: 5, within: "1m" } },
      gone: ["limits: {bulk: {writes: 3, within: 1m}}"],
      come: ['limits: {bulk: { writes: 5, within: "1m" }}'],
    },
    {
      name: "a limit taken away",
      edit: { kind: "set-limit", limit: "bulk", value: null },
      gone: ["limits: {bulk: {writes: 3, within: 1m}}"],
      come: ["limits: {}"],
    },
  ]
  it.each(cases)("I2: $name", ({ edit, gone, come }) => {
    const text = edited(file, edit)
    expect(changedLines(file, text)).toEqual({ gone, come })
    expect(load(text).ok).toBe(true)
  })

  it("I2: a middle comment of a replaced rule moves above it", () => {
    const text = edited(file, { kind: "replace-rule", index: 0, rule: { hide: "files(move_file)" } })
    expect(text).toContain('    # single quotes\n    - hide: "files(move_file)"\n')
  })
})

describe("sections that are not there yet", () => {
  const bare = "version: 1\nservers:\n  files:\n    command: x"
  it("are made", () => {
    const text = edited(
      bare,
      { kind: "add-rule", rule: { allow: "files(read_*)" } },
      { kind: "set-limit", limit: "autoAllowedPerMinute", value: 5 },
      { kind: "set-approval", server: "files", approval: "always" },
    )
    expect(text).toBe(
      `${bare}\n    approval: "always"\npolicy:\n  rules:\n    - allow: "files(read_*)"\nlimits:\n  autoAllowedPerMinute: 5\n`,
    )
  })

  it("are emptied without leaving a key with nothing below it", () => {
    const text = edited(`${bare}\npolicy:\n  rules:\n  - allow: files\n`, { kind: "remove-rule", index: 0 })
    expect(load(text)).toMatchObject({ ok: true, config: { policy: { rules: [] } } })
    expect(edited(text, { kind: "add-rule", rule: { deny: "files" } })).toContain('deny: "files"')
  })

  it("are made in JSON, too", () => {
    const text = edited('{ "version": 1, "servers": { "files": { "command": "x" } } }', {
      kind: "add-rule",
      rule: { deny: "files" },
    })
    expect(JSON.parse(text)).toMatchObject({ policy: { rules: [{ deny: "files" }] } })
  })
})

it.each([
  { edit: { kind: "remove-rule", index: 2 }, code: "no-such-rule" },
  { edit: { kind: "replace-rule", index: -1, rule: { hide: "a" } }, code: "no-such-rule" },
  { edit: { kind: "set-approval", server: "constructor", approval: "never" }, code: "no-such-server" },
] as const)("refuses $edit.kind of what is not there: $code", ({ edit, code }) => {
  expect(editConfig(file, [edit])).toMatchObject({ ok: false, refusal: { code } })
})

it.each([
  {
    name: "a server that others share by alias",
    text: "version: 1\nservers: { files: &a { command: x }, b: *a }\n",
    code: "not-editable",
  },
  { name: "broken text", text: "version: 1\n\tx", code: "not-byleave" },
  { name: "a client's file", text: '{ "mcpServers": {} }', code: "not-byleave" },
  {
    name: "a server that is an alias",
    text: "version: 1\nservers: { a: &a { command: x }, files: *a }\n",
    code: "not-editable",
  },
])("I1: refuses to edit $name: $code", ({ text, code }) => {
  const edit: ConfigEdit = { kind: "set-approval", server: "files", approval: "never" }
  expect(editConfig(text, [edit])).toMatchObject({ ok: false, refusal: { code } })
})

it("a loaded rule is written back as a rule that loads to the same", () => {
  const full = readFileSync(new URL("../fixtures/full.yaml", import.meta.url), "utf8")
  const rulesOf = (text: string) => {
    const result = load(text)
    if (!result.ok) throw new Error(JSON.stringify(result.problems))
    return result.config.policy.rules.filter(({ id }) => id.startsWith("rules["))
  }
  const rules = rulesOf(full)
  const text = rules.reduce(
    (current, rule) => edited(current, { kind: "add-rule", rule: writtenRule(rule) ?? {} }),
    full,
  )
  const meaning = (list: ReturnType<typeof rulesOf>) =>
    JSON.stringify(list.map(({ id: _id, origin: _origin, ...rule }) => rule))
  expect(meaning(rulesOf(text))).toBe(meaning([...rules, ...rules]))
})

/** As a program that edits the file has it: made of a rule as data. */
function allowing(pattern: string, reason: string | undefined): WrittenRule {
  const parsed = parseTargetPattern(pattern)
  if (!parsed.ok) throw new Error(parsed.problem)
  const rule: Rule = { id: "r", effect: "allow", target: parsed.pattern, origin: { where: "here" } }
  return writtenRule(reason === undefined ? rule : { ...rule, reason }) ?? {}
}

it.each(["", " ", "\t", "\n", "\u00A0", "\u2028\u3000", "\uFEFF"])(
  "a reason that says nothing is not written: %j",
  (reason) => {
    expect(allowing("files(read_*)", reason)).toEqual({ allow: "files(read_*)" })
    expect(load(edited(file, { kind: "add-rule", rule: allowing("files(read_*)", reason) })).ok).toBe(true)
  },
)

it("a reason that says nothing and was written all the same stays as it is, and does not load", () => {
  const text = edited(file, { kind: "add-rule", rule: { allow: "files(read_*)", reason: " " } })
  expect(load(text)).toMatchObject({ ok: false, problems: [{ message: expect.stringContaining("says nothing") }] })
})

it("I1, I2: any edits give a file that loads, with every comment it had", () => {
  const anyReason = fc.oneof(
    fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
    fc.string({ maxLength: 3, unit: fc.constantFrom(" ", "\t", "\n", "\u00A0", "#", ":") }),
    fc.constant(undefined),
  )
  const rule = fc.tuple(fc.constantFrom("files(read_*)", "*(x)", "tracker"), anyReason).map((of) => allowing(...of))
  const anyEdit: fc.Arbitrary<ConfigEdit> = fc.oneof(
    fc.record({ kind: fc.constant("add-rule" as const), rule }),
    fc.record({ kind: fc.constant("replace-rule" as const), index: fc.nat(3), rule }),
    fc.record({ kind: fc.constant("remove-rule" as const), index: fc.nat(3) }),
    fc.record({ kind: fc.constant("set-default" as const), default: fc.constantFrom("ask" as const, "deny" as const) }),
    fc.record({
      kind: fc.constant("set-approval" as const),
      server: fc.constantFrom("files", "tracker"),
      approval: fc.constantFrom("never" as const, "refuse" as const, null),
    }),
    fc
      .record({
        kind: fc.constant("set-limit" as const),
        limit: fc.constantFrom("bulk" as const, "waitingPerSession" as const),
        value: fc.constantFrom(null, { writes: 9, within: "2m" }),
      })
      .map((edit) => (edit.limit === "bulk" || edit.value === null ? edit : { ...edit, value: 9 })),
  )
  fc.assert(
    fc.property(
      fc.array(anyEdit, { maxLength: 5 }),
      fc.constantFrom(file, file.replaceAll("\n", "\r\n")),
      (edits, text) => {
        const result = editConfig(text, edits)
        if (!result.ok) return result.refusal.code === "no-such-rule"
        const kept = ["# Who may do what here.", "# aligned by hand", "# one line", "# Nothing is moved.", "# The end."]
        return load(result.text).ok && kept.every((comment) => result.text.includes(comment))
      },
    ),
    { numRuns: 150 },
  )
})

describe("a rule as text", () => {
  const rule = 'allow: "files(read_file)"\nwhen:\n  path: { under: ./a }'

  it.each([
    { name: "as it stands in the list", put: `- ${rule.replaceAll("\n", "\n  ")}` },
    { name: "without its dash", put: rule },
  ])("$name is added behind the others", ({ put }) => {
    const text = "version: 1\npolicy:\n  rules:\n    - deny: files # why\n\n# later\nwait: 8h\n"
    const added = editRules(text, { add: [put], remove: [] })
    expect(added).toMatchObject({ ok: true })
    const after = added.ok ? added.text : ""
    expect(parse(after).policy.rules).toEqual([
      { deny: "files" },
      { allow: "files(read_file)", when: { path: { under: "./a" } } },
    ])
    expect(after).toContain("    - deny: files # why\n    - allow:")
    expect(after).toMatch(/\n\n# later\nwait: 8h\n$/)
  })

  it.each([
    { name: "one line", text: "version: 1\npolicy: { rules: [{ ask: files }] }\n", rules: 2 },
    { name: "a text without a policy", text: "version: 1\nservers: {}\n", rules: 1 },
    { name: "an empty list", text: "version: 1\npolicy:\n  rules: [] # none yet\n", rules: 1 },
  ])("is added to $name", ({ text, rules }) => {
    const added = editRules(text, { add: [rule], remove: [] })
    expect(parse(added.ok ? added.text : "").policy.rules).toHaveLength(rules)
  })

  it("takes the place of rules that stand in the file as they are given, and of no others", () => {
    const text = `version: 1
policy:
  rules:
    - deny: files # why
    # kept, whatever comes
    - allow: "files(read_file)"
      when: { path: { directlyIn: /a } }
    - allow: "files(read_file)"
      when: { path: { directlyIn: /b } } # by hand
    - allow: "files(read_file)"
      reason: Mine.
`
    const of = (folder: string) => `- allow: "files(read_file)"\n  when: { path: { directlyIn: ${folder} } }`
    const added = editRules(text, {
      add: [of("[/a, /c]")],
      remove: [of("/a"), of("/c"), '- allow: "files(read_file)"'],
    })
    expect(parse(added.ok ? added.text : "").policy.rules).toEqual([
      { deny: "files" },
      { allow: "files(read_file)", when: { path: { directlyIn: "/b" } } },
      { allow: "files(read_file)", reason: "Mine." },
      { allow: "files(read_file)", when: { path: { directlyIn: ["/a", "/c"] } } },
    ])
    expect(added.ok && added.text).toContain("# by hand")
  })

  it("several conditions get a line each, in the list and in a suggestion alike", () => {
    const lines = [
      '- allow: "files(read_file)"',
      '  principal: "writer"',
      "  when:",
      '    path: { glob: "*.md", directlyIn: ["/a", "/b"] }',
      '    "*": { sensitive: false }',
    ]
    const text = "version: 1\npolicy:\n  rules:\n    - deny: files\n"
    const added = editRules(text, { add: [lines.join("\n")], remove: [] })
    expect(added.ok && added.text).toBe(`${text}${lines.map((line) => `    ${line}\n`).join("")}`)
    const loaded = load(added.ok ? added.text : "")
    const rule = loaded.ok ? loaded.config.policy.rules.find(({ principal }) => principal === "writer") : undefined
    expect(rule && ruleLines(rule)).toBe(lines.join("\n"))
  })

  it.each(["", "just words", "- ask: a\n- ask: b", "ask: ["])("%j is refused", (put) => {
    expect(editRules("version: 1\n", { add: [put], remove: [] })).toMatchObject({ ok: false })
  })

  it("is refused where the text does not load", () => {
    expect(editRules("version: 1\npolicy: [", { add: [rule], remove: [] })).toMatchObject({ ok: false })
  })
})
