import { describe, expect, it } from "vitest"
import { rule } from "../fixtures/questions.ts"
import type { Remembered } from "../rules/remembered.ts"
import type { Condition, Effect, Rule } from "../rules/rule.ts"
import type { Because, Decision } from "./decision.ts"
import { describeRemembered, describeRule, hiddenIn, originText, reasonOf, ruleText } from "./sentences.ts"

const tool = "files(write_file)"
const home = { key: "path", op: "under", folder: "/x" } as const
const target = { server: "files", kind: "tool", name: "write_file" } as const

function because(effect: Effect, cause: Because): string {
  const decision: Decision = {
    effect,
    because: cause,
    remember: "allowed",
    approvals: 1,
    reviewers: [],
    wouldAsk: false,
    wait: null,
  }
  return reasonOf(decision, target)
}

describe("reasonOf", () => {
  it("keeps a tool whose name is a sentence one name", () => {
    const decision = { effect: "ask", because: { kind: "default" } } as Decision
    expect(reasonOf(decision, { ...target, name: "x) and y" })).toBe(
      'held for approval because no rule matches "files(x) and y)"',
    )
  })

  it.each<{ effect: Effect; cause: Because; sentence: string }>([
    {
      effect: "ask",
      cause: { kind: "default" },
      sentence: "held for approval because no rule matches files(write_file)",
    },
    {
      effect: "deny",
      cause: { kind: "default" },
      sentence: "denied because no rule matches files(write_file) and the policy's default is deny",
    },
    {
      effect: "deny",
      cause: { kind: "rule", rule: rule("deny", tool, { reason: "Moves are done by hand here." }) },
      sentence: 'denied by the rule deny: "files(write_file)": Moves are done by hand here.',
    },
    {
      effect: "hide",
      cause: { kind: "offer", server: "files" },
      sentence: "hidden because files is configured not to offer it",
    },
    {
      effect: "ask",
      cause: { kind: "unjudged", rule: rule("deny", tool, { when: [home] }), why: 'the argument "path" is missing' },
      sentence:
        'held for approval because it cannot be determined whether the rule deny: "files(write_file)" when path under "/x" applies: the argument "path" is missing',
    },
    {
      effect: "ask",
      cause: { kind: "pin", pin: "changed" },
      sentence:
        "held for approval because the definition of files(write_file) changed since it was accepted; a reviewer must accept it first",
    },
    {
      effect: "ask",
      cause: { kind: "limit", limit: "bulk" },
      sentence: "held for approval because this agent made many writes in a short time, across all its sessions",
    },
    {
      effect: "deny",
      cause: { kind: "mode", mode: "unattended", instead: { kind: "default" } },
      sentence:
        "denied because nobody is available to approve calls in this session (deny while away); it would otherwise be held for approval because no rule matches files(write_file)",
    },
    {
      effect: "allow",
      cause: { kind: "passes" },
      sentence: "allowed because no rule covers files(write_file), and only tools need approval by default",
    },
    {
      effect: "allow",
      cause: { kind: "starts-cool-down" },
      sentence:
        "allowed because no rule covers files(write_file), and only tools need approval by default; a cool-down starts with it",
    },
    {
      effect: "allow",
      cause: {
        kind: "grant",
        grant: { id: "g", effect: "allow", breadth: { kind: "tool", server: "files", tool: "write_file" } },
      },
      sentence: "allowed by a permission: for every agent, always allow files(write_file)",
    },
  ])("$sentence", ({ effect, cause, sentence }) => {
    expect(because(effect, cause)).toBe(sentence)
  })

  it("shows what a name hides", () => {
    const decision = { effect: "ask", because: { kind: "default" } } as Decision
    expect(reasonOf(decision, { ...target, name: "read\u202e\nfile" })).toBe(
      'held for approval because no rule matches "files(read⟨U+202E⟩⟨U+000A⟩file)"',
    )
  })
})

describe("rules in words", () => {
  it.each<{ rule: Rule; text: string; words: string }>([
    {
      rule: rule("allow", tool, { when: [home] }),
      text: 'allow: "files(write_file)" when path under "/x"',
      words: 'Allow files(write_file) when path is under "/x"',
    },
    { rule: rule("hide", "*(admin_*)"), text: 'hide: "*(admin_*)"', words: "Hide *(admin_*)" },
    {
      rule: rule("allow", "files", { access: "read", principal: "bot*" }),
      text: 'allow: "files" access read principal bot*',
      words: "Allow every tool of files that reads for agents named bot*",
    },
    {
      rule: rule("ask", "tracker(delete_*)", {
        approvals: 2,
        remember: "never",
        reviewers: ["ops", "legal"],
        wait: 1_800_000,
      }),
      text: 'ask: "tracker(delete_*)" approvals 2 reviewers ops, legal remember never wait 30 minutes',
      words:
        "Ask about tracker(delete_*), every time; 2 reviewers from ops or legal must approve; it may wait 30 minutes",
    },
    {
      rule: rule("deny", tool, {
        when: [
          { key: "mode", op: "oneOf", values: ["a", 1] },
          { key: "n", op: "atMost", value: 5 },
          { key: "url", op: "host", patterns: ["*.example.com"] },
        ],
      }),
      text: 'deny: "files(write_file)" when mode oneOf "a", 1 and n atMost 5 and url host "*.example.com"',
      words:
        'Deny files(write_file) when mode is one of "a", 1 and n is at most 5 and url is on the host "*.example.com"',
    },
  ])("$words", ({ rule: one, text, words }) => {
    expect(ruleText(one)).toBe(text)
    expect(describeRule(one)).toBe(words)
  })

  it.each<{ condition: Condition; text: string }>([
    { condition: { key: "password", op: "equals", value: "hunter2hunter2" }, text: "equals ‹secret, 14 characters›" },
    { condition: { key: "pin", op: "equals", value: 1234 }, text: "equals ‹secret, 4 characters›" },
    { condition: { key: "password", op: "equals", value: null }, text: "equals null" },
    {
      condition: { key: "token", op: "oneOf", values: ["a", "", ["bc"]] },
      text: 'oneOf ‹secret, 1 character›, "", ["‹secret, 2 characters›"]',
    },
    { condition: { key: "apiKey", op: "glob", pattern: "sk-live-1" }, text: "glob ‹secret, 9 characters›" },
    // As in what is recorded, everything below a secret's name is one.
    { condition: { key: "token.value", op: "equals", value: "abc" }, text: "equals ‹secret, 3 characters›" },
    {
      condition: { key: "login", op: "equals", value: { user: "ann", password: "hunter2" } },
      text: 'equals {"user":"ann","password":"‹secret, 7 characters›"}',
    },
    { condition: { key: "token_type", op: "equals", value: "bearer" }, text: 'equals "bearer"' },
  ])("does not spell out what a secret is compared with: $text", ({ condition, text }) => {
    const when = [condition]
    const one = rule("deny", tool, { when })
    const grant = { id: "g", effect: "deny", breadth: { kind: "tool", server: "files", tool: "x", when } } as const
    const operand = text.slice(text.indexOf(" "))
    expect(ruleText(one)).toBe(`deny: "${tool}" when ${condition.key} ${text}`)
    expect(describeRule(one)).toContain(operand)
    expect(describeRemembered(grant).text).toContain(operand)
    expect(describeRemembered(grant).words).toContain(operand)
    expect(hiddenIn(one).length).toBe(text.includes("‹") ? 1 : 0)
  })

  it.each<{ condition: Condition; text: string }>([
    { condition: { key: "apiKey", op: "glob", pattern: "sk-live-*" }, text: 'glob "sk-live-*"' },
    { condition: { key: "token", op: "glob", pattern: "*".repeat(24) }, text: `glob "${"*".repeat(24)}"` },
    { condition: { key: "secret", op: "under", folder: "/" }, text: 'under "/"' },
    { condition: { key: "secret", op: "directlyIn", folders: ["/vault"] }, text: 'directlyIn "/vault"' },
    { condition: { key: "secret", op: "file", path: "/vault/a" }, text: 'file "/vault/a"' },
    { condition: { key: "auth", op: "host", patterns: ["a.example", "*"] }, text: 'host "a.example" or "*"' },
    { condition: { key: "otp", op: "atMost", value: 500 }, text: "atMost 500" },
    { condition: { key: "pin", op: "atLeast", value: 0 }, text: "atLeast 0" },
  ])("spells out what may match more than one value, whatever the name: $text", ({ condition, text }) => {
    const one = rule("allow", tool, { when: [condition] })
    expect(ruleText(one)).toBe(`allow: "${tool}" when ${condition.key} ${text}`)
    expect(describeRule(one)).toContain(text.slice(text.indexOf(" ")))
    expect(hiddenIn(one)).toEqual([])
  })

  it("says where a rule stands", () => {
    expect(originText({ ...rule("hide", "files"), origin: { where: "byleave.yaml", line: 14, column: 3 } })).toBe(
      "byleave.yaml:14:3",
    )
  })
})

describe("R50: what a click will save", () => {
  const time = () => "noon"
  it.each<{ grant: Omit<Remembered, "id">; words: string; text: string }>([
    {
      grant: {
        effect: "allow",
        breadth: { kind: "tool", server: "files", tool: "write_file", when: [home] },
        until: 1,
        usesLeft: 5,
      },
      words: 'For every agent, allow files(write_file) when path is under "/x", until noon, 5 times',
      text: 'allow: "files(write_file)" when path under "/x" for every agent, until noon, 5 times',
    },
    {
      grant: { effect: "deny", breadth: { kind: "server", server: "files", access: "write" } },
      words: "For every agent, always deny every tool of files that writes",
      text: 'deny: "files" access write for every agent',
    },
    {
      grant: {
        effect: "allow",
        breadth: { kind: "reads", server: "files", tools: ["list", "read"] },
        session: { principal: "a", id: "s" },
      },
      words: 'In this session of "a", always allow these tools of files, not ones added later: list, read',
      text: 'allow: "files(list)", "files(read)" in this session of "a"',
    },
    {
      grant: {
        effect: "allow",
        breadth: { kind: "tool", server: "files", tool: "write_file" },
        session: { principal: "laptop", id: "laptop" },
        until: 1,
      },
      words: 'For the agent "laptop" outside sessions, allow files(write_file), until noon',
      text: 'allow: "files(write_file)" for the agent "laptop" outside sessions, until noon',
    },
    {
      grant: {
        effect: "deny",
        breadth: { kind: "tool", server: "files", tool: "write_file" },
        session: { principal: "laptop", id: "laptop" },
        until: 1,
      },
      words: 'For the agent "laptop", deny files(write_file), until noon',
      text: 'deny: "files(write_file)" for the agent "laptop", until noon',
    },
    {
      grant: { effect: "allow", breadth: { kind: "pattern", server: "files", tool: "read_*" } },
      words: "For every agent, always allow every tool that matches files(read_*)",
      text: 'allow: "files(read_*)" for every agent',
    },
    {
      grant: { effect: "allow", breadth: { kind: "tool", server: "files", tool: "*" } },
      words: "For every agent, always allow files([*])",
      text: 'allow: "files([*])" for every agent',
    },
  ])("$words", ({ grant, words, text }) => {
    expect(describeRemembered(grant, { time })).toEqual({ words, text })
  })

  it.each([
    { agent: "run", starter: "runner ci", whom: 'For runs started by the token "ci"' },
    { agent: "run", whom: "For all agent runs, whoever starts them" },
    { agent: "wrap:files", whom: 'For every program that uses "files" through byleave wrap' },
  ])("a permission says whom it serves: $whom", ({ whom, ...of }) => {
    const breadth = { kind: "tool", server: "files", tool: "x" } as const
    expect(describeRemembered({ effect: "allow", breadth, ...of }).words).toBe(`${whom}, always allow files(x)`)
  })

  it.each([
    { principal: "run", words: "Allow files(x) for all agent runs, whoever starts them" },
    { principal: "wrap:files", words: 'Allow files(x) for every program that uses "files" through byleave wrap' },
    { principal: "wrap:*", words: "Allow files(x) for agents named wrap:*" },
  ])("a rule for the principal $principal says whom that is", ({ principal, words }) => {
    expect(describeRule({ ...rule("allow", "files(x)"), principal })).toBe(words)
  })

  it("an agent whose name is a sentence stays one name", () => {
    const session = { principal: 'a", always deny x', id: "s" }
    const breadth = { kind: "tool", server: "files", tool: "x" } as const
    expect(describeRemembered({ effect: "allow", breadth, session }).words).toBe(
      'In this session of "a\\", always deny x", always allow files(x)',
    )
  })

  it("a tool or server whose name is a sentence stays one name, whole", () => {
    const name = `x, and nothing else ${"x".repeat(300)}`
    const wordsOf = (breadth: Remembered["breadth"]) => describeRemembered({ effect: "allow", breadth }).words
    expect(wordsOf({ kind: "tool", server: "files", tool: name })).toBe(
      `For every agent, always allow "files(${name})"`,
    )
    expect(wordsOf({ kind: "server", server: name, access: "all" })).toBe(
      `For every agent, always allow every tool of "${name}"`,
    )
    expect(wordsOf({ kind: "reads", server: "files", tools: ["x", "y, z"] })).toBe(
      'For every agent, always allow these tools of files, not ones added later: x, "y, z"',
    )
  })

  it("tells an end as a length of time from now", () => {
    const grant = { effect: "allow", breadth: { kind: "tool", server: "files", tool: "x" }, until: 1_900_000 } as const
    expect(describeRemembered(grant, { now: 100_000 }).words).toBe("For every agent, allow files(x), for 30 minutes")
  })
})
