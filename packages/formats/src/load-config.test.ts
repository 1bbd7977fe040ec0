import { readFileSync } from "node:fs"
import { emptyPolicy } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Config, LoadResult } from "./config.ts"
import { type LoadOptions, loadConfig } from "./load-config.ts"
import type { ConfigProblemCode } from "./problem.ts"

const env = new Map([
  ["TRACKER_TOKEN", "t0ken-value"],
  ["FILES_KEY", "f1les-key"],
  ["HOME", "/home/ada"],
])
const options: LoadOptions = {
  name: "byleave.yaml",
  folder: "/etc/byleave",
  home: "/home/ada",
  env,
  hasher: nodeHasher,
}

const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")
const load = (text: string, changed: Partial<LoadOptions> = {}) => loadConfig(text, { ...options, ...changed })

function loaded(result: LoadResult): Config {
  if (!result.ok)
    throw new Error(result.problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join("\n"))
  return result.config
}

const codes = (result: LoadResult) => (result.ok ? [] : result.problems.map((problem) => problem.code))
const warningCodes = (result: LoadResult) => result.warnings.map((problem) => problem.code)
const withServer = (lines: string) => `version: 1\nservers:\n  files:\n${lines.replaceAll(/^/gm, "    ")}\n`
const withPolicy = (lines: string) =>
  `version: 1\nservers: { files: { command: x } }\npolicy:\n${lines.replaceAll(/^/gm, "  ")}\n`
const withRule = (lines: string) => withPolicy(`rules:\n  - ${lines.replaceAll("\n", "\n    ")}`)

describe("byleave.yaml", () => {
  it("loads the example of the documentation without a word", () => {
    const result = load(fixture("byleave.yaml"))
    const config = loaded(result)
    expect(result.warnings).toEqual([])
    expect(config.servers.map(({ id, trust, pin, transport }) => [id, trust, pin, transport.kind])).toEqual([
      ["files", "annotations", "full", "stdio"],
      ["tracker", "none", "full", "http"],
    ])
    expect(config.policy.rules.map(({ effect, target }) => `${effect} ${target.server}(${target.name})`)).toEqual([
      "hide *(admin_*)",
      "deny files(move_file)",
      "allow files(read_*)",
      "allow files(write_file)",
      "ask tracker(delete_*)",
    ])
    expect(config.policy.rules[3]).toMatchObject({
      id: "rules[3]",
      when: [{ key: "path", op: "under", folder: "/etc/byleave/workspace/drafts" }],
      origin: { where: "byleave.yaml", line: 17, column: 7 },
    })
    expect(config.policy.rules[4]).toMatchObject({ approvals: 2, remember: "never" })
    expect(config.policy).toMatchObject({ default: "ask", wait: 28_800_000, limits: { autoAllowedPerMinute: 120 } })
    expect(config.policy.classify[0]).toMatchObject({ access: "read", target: { server: "tracker", name: "export_*" } })
  })

  it("holds so much without being asked to: limits that nobody wrote", () => {
    const limits = {
      ...{ waitingPerSession: 50, waitingPerPrincipal: 500, waitingInAll: 10_000 },
      ...{ heldBytesPerPrincipal: 32_000_000, heldBytesInAll: 256_000_000 },
      denials: { count: 3, withinMs: 600_000 },
    }
    expect(emptyPolicy.limits).toEqual(limits)
    for (const written of ["version: 1\n", "version: 1\nlimits: {}\n"])
      expect(loaded(load(written)).policy.limits).toEqual(limits)
  })

  it("puts environment values in place and knows them as secrets", () => {
    const config = loaded(load(fixture("byleave.yaml")))
    const tracker = config.servers[1]?.transport
    expect(tracker?.kind === "http" && tracker.headers.get("Authorization")).toBe("Bearer t0ken-value")
    expect(config.secrets).toEqual(["t0ken-value"])
  })

  it("knows what is passed as an argument as a secret, the home folder aside", () => {
    const own = withServer(`command: x\nargs: ["--token=\${TRACKER_TOKEN}", "\${HOME}/docs", plain]`)
    expect(loaded(load(own)).secrets).toEqual(["t0ken-value"])
    const client = `{ "mcpServers": { "a": { "command": "\${HOME}/x", "args": ["\${FILES_KEY}"] } } }`
    expect(loaded(load(client)).secrets).toEqual(["f1les-key"])
    const line = `a:\n  command: x --token \${TRACKER_TOKEN}\n  auto_approved_tools: []\n`
    expect(loaded(load(line)).secrets).toEqual(["t0ken-value"])
  })

  it.each([
    { name: "a block", written: "|\n  Not this,\n  nor that.\n" },
    { name: "a folded block", written: ">\n  Not this,\n  nor that.\n" },
    { name: "a text with breaks in it", written: '" Not this,\\r\\n  nor that.\\n\\n"' },
  ])("reads a reason written as $name as one line", ({ written }) => {
    const [rule] = loaded(load(withRule(`deny: files\nreason: ${written}`))).policy.rules
    expect(rule?.reason).toBe("Not this, nor that.")
  })

  it("says how much of a server's tool list is read", () => {
    const written = "command: x\ntoolList: { pages: 3, tools: 40, bytes: 2MB, within: 5s, goodFor: 10s }"
    const wanted = { pages: 3, tools: 40, bytes: 2_000_000, ms: 5_000, goodMs: 10_000 }
    expect(loaded(load(withServer(written))).servers[0]?.toolList).toEqual(wanted)
    for (const odd of ["{ pages: 0 }", "{ tools: many }", "{ bytes: -1 }", "{ within: soon }", "{ page: 1 }", "5"])
      expect(load(withServer(`command: x\ntoolList: ${odd}`)).ok, odd).toBe(false)
  })

  it("expresses everything a policy can say", () => {
    const config = loaded(load(fixture("full.yaml")))
    expect(config.servers[0]).toMatchObject({
      pin: "schema",
      offer: ["read_*", "write_file"],
      timeoutMs: 90_000,
      cwd: "/etc/byleave/workspace",
    })
    expect(config.servers[0]?.transport).toMatchObject({
      command: "/home/ada/bin/files",
      args: ["--port", "8080", "$" + "{literal}"],
    })
    expect(config.servers[1]).toMatchObject({ pin: "off", transport: { kind: "sse" } })
    expect(config.policy).toMatchObject({ default: "deny", selfApproval: true, observeAll: true, wait: null })
    expect(config.policy).toMatchObject({ unknownParams: "drop", methods: [{ server: "web", name: "vendor/search" }] })
    expect(config.policy.forbiddenModes).toEqual(["autonomous", "observe"])
    expect(config.policy.limits).toMatchObject({
      autoAllowedPerSession: 0,
      autoAllowedPerDay: 1_000,
      autoAllowedPerMinute: 120,
      coolDown: { forMs: 300_000, after: [{ server: "*", name: "delete_*" }] },
      bulk: { writes: 20, withinMs: 60_000 },
      waitingPerSession: 10,
      waitingPerPrincipal: 100,
      denials: { count: 5, withinMs: 3_600_000 },
    })
    expect(config).toMatchObject({
      agents: { anonymous: true, openRequests: 200, bodyBytes: 16_000_000 },
      connections: 4_096,
      decideInClient: true,
      retention: null,
    })
    expect(config.hosts).toEqual(["byleave.example.com", "byleave.example.com:8443", "[::1]"])
    expect(config.origins).toEqual(["https://intranet.example.com", "http://localhost:5173"])
    const groups = new Map([
      ["ops", ["ada", "bob"]],
      ["security", ["cyd"]],
    ])
    expect(config.reviewers).toEqual({ presence: "none", groups })
    const [allow, resources, sampling] = config.policy.rules
    expect(allow).toMatchObject({ effect: "allow", access: "write", principal: "ci-*" })
    expect(allow?.effect === "allow" && JSON.stringify(allow.when)).toBe(
      JSON.stringify([
        { key: "path", op: "glob", pattern: "*.md" },
        { key: "path", op: "under", folder: "/home/ada/drafts" },
        { key: "target.size", op: "atMost", value: 10.5 },
        { key: "target.size", op: "atLeast", value: 1 },
        { key: "mode", op: "oneOf", values: ["create", 0, null] },
        { key: "dry", op: "equals", value: { run: true } },
        { key: "url", op: "host", patterns: ["*.example.com", "example.org"] },
        { key: "to", op: "directlyIn", folders: ["/home/ada/drafts", "/home/ada/notes"] },
        { key: "from", op: "file", path: "/home/ada/a.md" },
        { key: "*", op: "sensitive", value: false },
      ]).replace('"create",0', '"create",9007199254740993'),
    )
    expect(resources).toMatchObject({ target: { kind: "resource" }, reviewers: ["ops"], wait: null })
    expect(sampling).toMatchObject({ target: { kind: "sampling" }, reviewers: ["ops", "security"], wait: 1_800_000 })
  })

  it.each([
    { mode: "never", rule: { effect: "allow" }, warnings: ["approval-never"] },
    { mode: "always", rule: { effect: "ask", remember: "never" }, warnings: [] },
    { mode: "refuse", rule: { effect: "deny" }, warnings: [] },
  ])("R4: a server's approval mode $mode is a rule for the whole server", ({ mode, rule, warnings }) => {
    const result = load(withServer(`command: x\napproval: ${mode}`))
    expect(loaded(result).policy.rules).toMatchObject([{ ...rule, target: { server: "files", whole: true } }])
    expect(warningCodes(result)).toEqual(warnings)
  })

  it("R3: a file without rules asks", () => {
    const { policy } = loaded(load(withServer("command: x")))
    expect(policy).toMatchObject({ default: "ask", rules: [], forbiddenModes: [], selfApproval: false })
  })

  it.each([
    { format: "byleave", text: withServer("command: x") },
    { format: "mcp-servers", text: '{ "mcpServers": { "files": { "command": "x" } } }' },
    { format: "per-server", text: "files:\n  command: x\n  auto_approved_tools: []\n" },
  ])("lets nobody in, keeps payloads for 90 days and wants the PIN where $format says nothing", ({ text }) => {
    expect(loaded(load(text))).toMatchObject({
      agents: { anonymous: false, openRequests: null, bodyBytes: 64_000_000 },
      connections: 16_384,
      decideInClient: false,
      retention: 90 * 86_400_000,
      hosts: [],
      origins: [],
      reviewers: { presence: "pin", groups: new Map() },
    })
  })

  it("reads how long payloads are kept", () => {
    expect(loaded(load(`${withServer("command: x")}retention: 30d\n`)).retention).toBe(30 * 86_400_000)
  })

  it("does not take a server called like a key of ours for our own file", () => {
    const config = loaded(load("agents:\n  command: x\n  auto_approved_tools: []\n"))
    expect([config.format, config.servers[0]?.id]).toEqual(["per-server", "agents"])
  })

  it("R30: server ids may be scoped", () => {
    const config = loaded(
      load(
        'version: 1\nservers: { "@anthropic/filesystem": { command: x } }\npolicy: { rules: [{ allow: "@anthropic/filesystem(read_file)" }] }\n',
      ),
    )
    expect(config.policy.rules[0]?.target).toMatchObject({ server: "@anthropic/filesystem", name: "read_file" })
  })

  it("reports by name a rule about a server that is not there", () => {
    const result = load(`${fixture("byleave.yaml").replace("tracker(delete_*)", "traker(delete_*)")}`)
    expect(result.warnings).toMatchObject([{ code: "unmatched-server", line: 19, column: 7 }])
    expect(result.warnings[0]?.message).toContain("`traker(delete_*)`")
    expect(result.warnings[0]?.message).toContain("Did you mean `tracker`?")
  })

  it("gives the same version to the same meaning, another to another", () => {
    const versionOf = (text: string) => loaded(load(text)).policy.version
    const text = fixture("byleave.yaml")
    expect(versionOf(`# a comment\n\n${text}`)).toBe(versionOf(text))
    expect(versionOf(text.replace("files(move_file)", "files(move_files)"))).not.toBe(versionOf(text))
    expect(versionOf(withRule("deny: files\nwhen: { a: { equals: { origin: 1 } } }"))).not.toBe(
      versionOf(withRule("deny: files\nwhen: { a: { equals: { origin: 2 } } }")),
    )
  })

  it("accepts a byte order mark, Windows line ends and JSON", () => {
    const text = fixture("byleave.yaml")
    expect(loaded(load(`\uFEFF${text}`)).policy.rules).toHaveLength(5)
    expect(loaded(load(text.replaceAll("\n", "\r\n"))).policy.rules).toHaveLength(5)
    expect(loaded(load('{ "version": 1, "servers": { "files": { "command": "x" } } }')).format).toBe("byleave")
  })
})

describe("problems", () => {
  type Case = { name: string; text: string; code: ConfigProblemCode; at?: [number, number]; says: string }
  const cases: readonly Case[] = [
    { name: "an empty file", text: "", code: "empty", at: [1, 1], says: "version: 1" },
    { name: "a file of comments", text: "# nothing\n", code: "empty", says: "version: 1" },
    { name: "a list", text: "- a\n", code: "wrong-type", says: "must be a map" },
    { name: "something else altogether", text: "hello: world\n", code: "unknown-format", says: "version: 1" },
    ...[
      { key: "version", text: "version: 1\nmcpServers: { a: { command: x } }\n" },
      { key: "version` and `policy", text: "version: 1\npolicy: {}\nmcpServers: { a: { command: x } }\n" },
      { key: "policy", text: "policy: { default: deny }\nmcpServers: { a: { command: x, autoApprove: [b] } }\n" },
    ].map(
      ({ key, text }): Case => ({
        name: `a client's servers beside \`${key}\``,
        text,
        code: "unknown-format",
        at: [1, 1],
        says: `write the servers under \`servers:\`; in a client's file, leave \`${key}\` out`,
      }),
    ),
    {
      name: "a missing version",
      text: "servers: { files: { command: x } }\n",
      code: "missing-key",
      says: "version: 1",
    },
    { name: "a later version", text: "version: 2\n", code: "bad-value", at: [1, 10], says: "version: 1" },
    {
      name: "a tab",
      text: "version: 1\nservers:\n\tfiles: { command: x }\n",
      code: "syntax",
      at: [3, 1],
      says: "Indent with spaces",
    },
    {
      name: "I1 of read-tree: a key twice",
      text: "version: 1\nversion: 1\n",
      code: "duplicate-key",
      at: [2, 1],
      says: "Keep one",
    },
    {
      name: "an unquoted star",
      text: withRule("hide: *(admin_*)"),
      code: "syntax",
      at: [5, 13],
      says: 'quotes: `"*(admin_*)"`',
    },
    { name: "an unquoted at", text: withRule("hide: @a/b(c)"), code: "syntax", at: [5, 13], says: "in quotes" },
    { name: "a tag", text: withRule("hide: !secret files"), code: "yaml-feature", says: "Remove" },
    { name: "a binary tag", text: withRule("hide: !!binary files"), code: "yaml-feature", says: "Remove" },
    {
      name: "a merge key",
      text: "version: 1\nservers:\n  a: &a { command: x }\n  b: { <<: *a }\n",
      code: "yaml-feature",
      at: [4, 8],
      says: "Write the keys out",
    },
    { name: "an older YAML", text: "%YAML 1.1\n---\nversion: 1\n", code: "yaml-feature", says: "%YAML" },
    { name: "two documents", text: "version: 1\n---\nversion: 1\n", code: "syntax", says: "one per file" },
    {
      name: "an unclosed bracket",
      text: "version: 1\nlimits: { bulk: { writes: 1 }\nwait: 8h\n",
      code: "syntax",
      says: "`{` is never closed",
      at: [2, 9],
    },
    {
      name: "an unclosed quote",
      text: 'version: 1\nwait: "8h\nlimits: {}\n',
      code: "syntax",
      says: '`"` is never closed',
      at: [2, 7],
    },
    {
      name: "an entry too far to the left",
      text: withPolicy('rules:\n  - allow: "files(a)"\n - allow: "files(b)"'),
      code: "syntax",
      says: "This `-` is not in line",
      at: [6, 4],
    },
    {
      name: "an entry too far to the right",
      text: withPolicy('rules:\n  - allow: "files(a)"\n    - allow: "files(b)"'),
      code: "syntax",
      says: "This `-` is not in line",
      at: [6, 7],
    },
    {
      name: "a key too far to the right",
      text: "version: 1\nservers:\n  files:\n    command: x\n      cwd: y\n",
      code: "syntax",
      says: "This line is not in line",
      at: [5, 7],
    },
    {
      name: "a number as key",
      text: "version: 1\nservers: { 1: { command: x } }\n",
      code: "wrong-type",
      says: "quotes",
    },
    {
      name: "an unknown key",
      text: "version: 1\npolicys: {}\n",
      code: "unknown-key",
      at: [2, 1],
      says: "Did you mean `policy`?",
    },
    {
      name: "an unknown rule key",
      text: withRule("allow: files\nwehn: {}"),
      code: "unknown-key",
      at: [6, 7],
      says: "Did you mean `when`?",
    },
    {
      name: "an unknown server key",
      text: withServer("comand: x"),
      code: "unknown-key",
      says: "Did you mean `command`?",
    },
    {
      name: "another spelling",
      text: "version: 1\nlimits: { auto_allowed_per_minute: 1 }\n",
      code: "unknown-key",
      says: "`autoAllowedPerMinute`",
    },
    {
      name: "__proto__ as key",
      text: 'version: 1\n"__proto__": { a: 1 }\n',
      code: "unknown-key",
      at: [2, 1],
      says: "__proto__",
    },
    {
      name: "__proto__ as server",
      text: "version: 1\nservers: { __proto__: { command: x } }\n",
      code: "bad-server-id",
      says: "`__`",
    },
    {
      name: "__ in a server id",
      text: "version: 1\nservers: { a__b: { command: x } }\n",
      code: "bad-server-id",
      at: [2, 12],
      says: "Write `a_b`",
    },
    {
      name: "an empty server id",
      text: 'version: 1\nservers: { "": { command: x } }\n',
      code: "bad-server-id",
      says: "name",
    },
    {
      name: "an invisible character in a server id",
      text: 'version: 1\nservers: { "fi\\u200bles": { command: x } }\n',
      code: "bad-server-id",
      says: "letters",
    },
    { name: "neither command nor url", text: withServer("trust: none"), code: "missing-key", says: "`command`" },
    {
      name: "command and url",
      text: withServer("command: x\nurl: https://x.example"),
      code: "bad-value",
      says: "not both",
    },
    {
      name: "headers beside a command",
      text: withServer("command: x\nheaders: {}"),
      code: "bad-value",
      says: "Remove it",
    },
    {
      name: "a method by a wildcard",
      text: "version: 1\npolicy: { methods: ['web(vendor/*)'] }\n",
      code: "bad-value",
      says: "without wildcards",
    },
    { name: "an address that is none", text: withServer("url: ftp://x.example"), code: "bad-value", says: "http://" },
    {
      name: "a password in an address",
      text: withServer("url: https://a:b@x.example"),
      code: "bad-value",
      says: "`headers`",
    },
    {
      name: "a bad header name",
      text: withServer("url: https://x.example\nheaders: { 'a b': c }"),
      code: "bad-value",
      says: "header",
    },
    {
      name: "a word of no list",
      text: withServer("command: x\ntrust: anotations"),
      code: "bad-value",
      says: "Did you mean `annotations`?",
    },
    {
      name: "no entry where a list stands",
      text: withServer("command: x\noffer: read_*"),
      code: "wrong-type",
      says: "must be a list",
    },
    { name: "a number for text", text: withRule("allow: files\nreason: 12"), code: "wrong-type", says: '"12"' },
    { name: "a reason of spaces", text: withRule('deny: files\nreason: " "'), code: "bad-value", says: "says nothing" },
    { name: "a rule that does nothing", text: withRule("reason: x"), code: "missing-key", says: "`allow`" },
    {
      name: "a rule that does two things",
      text: withRule("allow: files\ndeny: files"),
      code: "missing-key",
      says: "one rule for each",
    },
    {
      name: "a rule with several patterns",
      text: withRule("allow: [files, git]"),
      code: "wrong-type",
      says: "one rule for each",
    },
    {
      name: "a pattern that is none",
      text: withRule('allow: "files(read"'),
      code: "bad-pattern",
      at: [5, 14],
      says: "files(tool)",
    },
    {
      name: "hide with conditions",
      text: withRule("hide: files\nwhen: { a: { equals: 1 } }"),
      code: "bad-value",
      says: "Write `deny`",
    },
    { name: "remember on an allow", text: withRule("allow: files\nremember: never"), code: "bad-value", says: "`ask`" },
    { name: "no conditions", text: withRule("allow: files\nwhen: {}"), code: "bad-value", says: "no condition" },
    { name: "nothing as conditions", text: withRule("allow: files\nwhen:"), code: "wrong-type", says: "nothing" },
    {
      name: "a condition without comparison",
      text: withRule("allow: files\nwhen: { path: ./x }"),
      code: "wrong-type",
      says: "{ equals: … }",
    },
    {
      name: "an empty condition",
      text: withRule("allow: files\nwhen: { path: {} }"),
      code: "bad-value",
      says: "under",
    },
    {
      name: "an unknown comparison",
      text: withRule("allow: files\nwhen: { path: { udner: x } }"),
      code: "unknown-key",
      says: "`under`",
    },
    {
      name: "an empty oneOf",
      text: withRule("allow: files\nwhen: { path: { oneOf: [] } }"),
      code: "bad-value",
      says: "never hold",
    },
    {
      name: "a bound that is no number",
      text: withRule("allow: files\nwhen: { n: { atMost: ten } }"),
      code: "bad-value",
      says: "number",
    },
    {
      name: "a bound beyond doubles",
      text: withRule("allow: files\nwhen: { n: { atMost: 1e400 } }"),
      code: "bad-value",
      says: "number",
    },
    {
      name: "a bound with too many digits",
      text: withRule("allow: files\nwhen: { n: { atMost: 9007199254740993 } }"),
      code: "bad-value",
      says: "number",
    },
    { name: "NaN", text: withRule("allow: files\nwhen: { n: { atMost: .nan } }"), code: "bad-value", says: "digits" },
    {
      name: "I3 of read-tree: infinity",
      text: "version: 1\nlimits: { waitingPerSession: .inf }\n",
      code: "bad-value",
      says: "digits",
    },
    { name: "half an approval", text: withRule("ask: files\napprovals: 1.5"), code: "bad-value", says: "whole number" },
    { name: "no approval at all", text: withRule("ask: files\napprovals: 0"), code: "bad-value", says: "1 or more" },
    ...[
      { name: "a server called byleave", lines: "", server: "byleave", code: "bad-server-id", says: "another id" },
      { name: "a server called Byleave", lines: "", server: "Byleave", code: "bad-server-id", says: "another id" },
      {
        name: "a server that reads as byleave",
        lines: "",
        server: "byl\u0435ave",
        code: "bad-server-id",
        says: "same",
      },
      {
        name: "agents that are half let in",
        lines: "agents: { anonymous: maybe }",
        code: "wrong-type",
        says: "`true`",
      },
      { name: "agents without a word", lines: "agents:", code: "wrong-type", says: "nothing below it" },
      { name: "bodies of no size", lines: "agents: { bodyBytes: 0 }", code: "bad-value", says: "32MB" },
      { name: "no open requests", lines: "agents: { openRequests: 0 }", code: "bad-value", says: "1" },
      { name: "next to no connections", lines: "connections: 3", code: "bad-value", says: "16" },
      { name: "a list of agents", lines: "agents: { names: [a] }", code: "unknown-key", says: "anonymous" },
      { name: "a retention in words", lines: "retention: a while", code: "bad-value", says: "90d" },
      { name: "a retention of nothing", lines: "retention: 0d", code: "bad-value", says: "`never`" },
      {
        name: "a host with a scheme",
        lines: "hosts: [https://a.example]",
        code: "bad-value",
        says: "without https://",
      },
      { name: "every host", lines: 'hosts: ["*"]', code: "bad-value", says: "no name of a host" },
      { name: "a host that is no list", lines: "hosts: a.example", code: "wrong-type", says: "must be a list" },
      {
        name: "an origin with a path",
        lines: 'origins: ["https://a.example/x"]',
        code: "bad-value",
        says: "no origin",
      },
      { name: "every origin", lines: 'origins: ["*"]', code: "bad-value", says: "no origin" },
      { name: "an origin of nowhere", lines: 'origins: ["null"]', code: "bad-value", says: "no origin" },
      {
        name: "a group that is no list",
        lines: "reviewers: { groups: { ops: ada } }",
        code: "wrong-type",
        says: "`ops`",
      },
      { name: "an empty group", lines: "reviewers: { groups: { ops: [] } }", code: "bad-value", says: "nobody" },
      { name: "people", lines: "reviewers: { people: {} }", code: "unknown-key", says: "groups" },
    ].map(({ lines, server = "files", code, ...rest }) => {
      const text = `version: 1\nservers: { ${server}: { command: x } }\n${lines}\n`
      return { ...rest, code: code as ConfigProblemCode, text }
    }),
    { name: "no reviewers", text: withRule("ask: files\nreviewers: []"), code: "bad-value", says: "nobody" },
    { name: "a wait without unit", text: "version: 1\nwait: 8\n", code: "bad-value", says: "8h" },
    { name: "a wait of nothing", text: "version: 1\nwait: 0s\n", code: "bad-value", says: "8h" },
    {
      name: "half a limit",
      text: "version: 1\nlimits: { bulk: { writes: 3 } }\n",
      code: "missing-key",
      says: "`within`",
    },
    { name: "an unknown mode", text: withPolicy("modes: { forbid: [yolo] }"), code: "bad-value", says: "`autonomous`" },
    { name: "an empty section", text: "version: 1\npolicy:\n", code: "wrong-type", at: [2, 8], says: "two spaces" },
    { name: "classify without access", text: withPolicy("classify: [{}]"), code: "missing-key", says: "read" },
    {
      name: "case-equal keys in a value",
      text: withRule("deny: files\nwhen: { a: { equals: { x: 1, X: 2 } } }"),
      code: "bad-value",
      says: "case",
    },
  ]
  it.each(cases)("$name: $code", ({ text, code, at, says }) => {
    const result = load(text)
    expect(result.ok).toBe(false)
    const problem = result.ok ? undefined : result.problems.find((candidate) => candidate.code === code)
    expect(problem?.message, codes(result).join()).toContain(says)
    expect(problem?.where).toBe("byleave.yaml")
    if (at !== undefined) expect([problem?.line, problem?.column]).toEqual(at)
  })

  it("come all at once, in the order of the file", () => {
    const text = "version: 1\nservers:\n  a__b: { comand: x }\nwait: soon\nlimits: { bulk: 3 }\n"
    expect(codes(load(text))).toEqual(["bad-server-id", "missing-key", "unknown-key", "bad-value", "wrong-type"])
  })

  it("name a missing environment variable, with its place", () => {
    const result = load(fixture("byleave.yaml"), { env: () => undefined })
    expect(result).toMatchObject({ ok: false, problems: [{ code: "missing-variable", line: 9, column: 31 }] })
    expect(JSON.stringify(result)).toContain("TRACKER_TOKEN is not set")
  })

  it("a missing credential only warns where no server is to be started; a missing folder of a rule never does", () => {
    const unset = { env: () => undefined, purpose: "policy" } as const
    const result = load(fixture("byleave.yaml"), unset)
    expect(result.ok).toBe(true)
    expect(result.warnings.map(({ code, line }) => [code, line])).toEqual([["missing-variable", 9]])
    const rules = 'policy:\n  rules:\n    - allow: "a(b)"\n      when: { path: { under: "$X" } }\n'.replace(
      "$X",
      "$" + "{X}",
    )
    expect(load(`version: 1\nservers:\n  a: { command: x }\n${rules}`, unset)).toMatchObject({ ok: false })
  })

  it("never show the value of a variable", () => {
    const result = load(withServer(`url: \${TRACKER_TOKEN}\nheaders: { A: "\${FILES_KEY}" }\n`), {
      env: new Map([
        ["TRACKER_TOKEN", "t0ken-value"],
        ["FILES_KEY", "f1les\nkey"],
      ]),
    })
    expect(result.ok).toBe(false)
    expect(JSON.stringify(result)).not.toMatch(/t0ken-value|f1les/)
  })

  it.each([
    { name: "10,000-deep lists", text: `a: ${"[".repeat(10_000)}` },
    { name: "10,000-deep maps", text: `${"{ a: ".repeat(10_000)}` },
    { name: "100-deep lists", text: `a: ${"[".repeat(100)}${"]".repeat(100)}` },
    {
      name: "an alias bomb",
      text: `version: 1\nx0: &x0 [a, a, a, a, a, a, a, a, a]\n${Array.from({ length: 12 }, (_, n) => `x${n + 1}: &x${n + 1} [*x${n}, *x${n}, *x${n}, *x${n}, *x${n}, *x${n}, *x${n}]`).join("\n")}\n`,
    },
    { name: "an alias to itself", text: "version: 1\nservers: &a { x: *a }\n" },
  ])("I2 of read-tree: $name are refused", ({ text }) => {
    expect(codes(load(text))).toContain("nesting")
  })

  it("are quick to find in large files", () => {
    const many = Array.from({ length: 10_000 }, (_, n) => `  k${n}: { command: x }`).join("\n")
    expect(loaded(load(`version: 1\nservers:\n${many}\n`)).servers).toHaveLength(10_000)
    expect(codes(load("a".repeat(8_000_001)))).toEqual(["too-large"])
  })
})

describe("warnings", () => {
  it.each([
    {
      name: "presence none",
      text: "version: 1\nservers: { a: { command: x } }\nreviewers: { presence: none }\n",
      code: "presence-none",
    },
    {
      name: "agents without a token",
      text: `${withServer("command: x")}agents: { anonymous: true }\n`,
      code: "anonymous-agents",
    },
    {
      name: "answers in the client",
      text: `${withServer("command: x")}decideInClient: true\n`,
      code: "decide-in-client",
    },
    ...["by-leave", "byleave-2"].map((id) => ({
      name: `a server called ${id}`,
      text: `version: 1\nservers: { ${id}: { command: x } }\n`,
      code: "like-byleave",
    })),
    { name: "no servers in a client's file", text: '{ "mcpServers": {} }', code: "no-servers" },
    { name: "a default of allow", text: withPolicy("default: allow"), code: "default-allow" },
    {
      name: "a secret in the file",
      text: withServer("command: x\nenv: { API_TOKEN: abc123 }"),
      code: "secret-in-file",
    },
  ])("$name", ({ text, code }) => {
    const result = load(text)
    expect(loaded(result)).toBeDefined()
    expect(warningCodes(result)).toEqual([code])
  })

  it("a secret written out is still known as one, without its scheme", () => {
    const config = loaded(load(withServer("url: https://x.example\nheaders: { Authorization: Bearer abc123 }")))
    expect(config.secrets).toEqual(["abc123"])
  })
})

describe("whatever the text", () => {
  it("I1: never throws", () => {
    const pieces = fc.constantFrom(
      "version: 1\n",
      "servers:\n",
      "  a: ",
      "{",
      "}",
      "[",
      "]",
      "*",
      "&a ",
      "!x ",
      ": ",
      "- ",
      "\t",
      "\n",
      "'",
      '"',
      "|\n",
      "? ",
      "__proto__",
      "<<: *a\n",
      "mcpServers",
      "${",
      "\0",
      "\uD800",
      "#",
      "1e999",
      "command: x",
    )
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
      fc.json(),
    )
    fc.assert(
      fc.property(text, (written) => {
        const result = load(written)
        return (
          result.ok || result.problems.every(({ line, column, message }) => line >= 1 && column >= 1 && message !== "")
        )
      }),
      { numRuns: 1000 },
    )
  })

  // Names people choose, such as servers and arguments, may be anything.
  it.each([
    { name: "byleave.yaml", free: ["files", "tracker", "path", "Authorization"] },
    {
      name: "full.yaml",
      free: [
        "main",
        "demo",
        "tracker",
        "shell",
        "path",
        "size",
        "mode",
        "dry",
        "run",
        "url",
        "to",
        "from",
        "API_KEY",
        "LEVEL",
      ],
    },
    { name: "per-server.yaml", free: ["duplo"] },
  ])("I2: a changed key of $name is an error, never a dropped one", ({ name, free }) => {
    const text = fixture(name)
    const keys = [...text.matchAll(/(?<=[\s{])[a-zA-Z_]+(?=:\s)/g)].filter(([key]) => !free.includes(key))
    expect(keys.length).toBeGreaterThan(4)
    for (const { index, 0: key } of keys) {
      const changed = `${text.slice(0, index)}${key}x${text.slice(index + key.length)}`
      expect(load(changed).ok, `${key} at ${index}`).toBe(false)
    }
  })

  it("I3: every allow rule of the result stands in the text", () => {
    const lines = fixture("full.yaml").split("\n")
    const edits = fc.array(
      fc.tuple(fc.nat(lines.length - 1), fc.constantFrom("drop", "indent", "outdent", "comment")),
      { minLength: 1, maxLength: 3 },
    )
    fc.assert(
      fc.property(edits, (list) => {
        const changed = [...lines]
        for (const [line, edit] of list) changed[line] = changeLine(changed[line] ?? "", edit)
        const text = changed.join("\n")
        const result = load(text)
        if (!result.ok) return true
        const written = text.match(/^[^#\n]*(?:\ballow: "|approval: never)/gm)?.length ?? 0
        const allows = result.config.policy.rules.filter((rule) => rule.effect === "allow")
        const conditionsKept = allows.every(
          (rule) => rule.effect === "allow" && (rule.when !== undefined) === /^[^#\n]*\bwhen:/m.test(text),
        )
        return allows.length === written && conditionsKept
      }),
      { numRuns: 300 },
    )
  })
})

function changeLine(line: string, edit: string): string {
  if (edit === "indent") return `  ${line}`
  if (edit === "outdent") return line.replace(/^ {2}/, "")
  return edit === "comment" ? `# ${line}` : ""
}
