// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the file has references
import { readFileSync } from "node:fs"
import { nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import type { Config, LoadResult } from "../config.ts"
import { loadConfig } from "../load-config.ts"
import { readScript } from "./read-script.ts"

const env = new Map([
  ["KEY", "sk-secret-value"],
  ["TEAM_TOKEN", "team-token-value"],
  ["FILES_KEY", "f1les-key"],
  ["TRACKER_TOKEN", "t0ken-value"],
  ["HOME", "/home/ada"],
  ["EMPTY", ""],
])

const load = (text: string) =>
  loadConfig(text, { name: "byleave.yaml", folder: "/etc/byleave", home: "/home/ada", env, hasher: nodeHasher })
const withModels = (...lines: readonly string[]) =>
  load(`version: 1\nmodels:\n${lines.map((line) => `  ${line}\n`).join("")}`)

function loaded(result: LoadResult): Config {
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join("\n"))
  return result.config
}
const found = (result: LoadResult) =>
  [...(result.ok ? [] : result.problems), ...result.warnings].map(
    ({ code, line, column }) => `${code} ${line}:${column}`,
  )

describe("models", () => {
  it("are read in the order of the file, with what the environment fills in", () => {
    const { models, secrets } = loaded(
      withModels(
        "main: { provider: openai-compatible, url: 'http://127.0.0.1:11434/v1', model: 'qwen3:8b' }",
        "gpt-5: { provider: openai, key: '${KEY}', headers: { X-Team: notes, Authorization: 'Bearer ${TEAM_TOKEN}' } }",
      ),
    )
    expect(models.map(({ config }) => config)).toEqual([
      {
        ...{ name: "main", provider: "openai-compatible", url: "http://127.0.0.1:11434/v1", model: "qwen3:8b" },
        ...{ key: null, headers: {} },
      },
      {
        ...{ name: "gpt-5", provider: "openai", url: null, model: "gpt-5", key: "sk-secret-value" },
        headers: { "X-Team": "notes", Authorization: "Bearer team-token-value" },
      },
    ])
    expect(secrets).toEqual(expect.arrayContaining(["sk-secret-value", "team-token-value"]))
    expect(secrets).not.toContain("notes")
    expect(models.map((model) => model.secrets.length)).toEqual([0, 3])
  })

  it("have their references beside them, to be shown", () => {
    const { models } = loaded(withModels("main: { provider: openai, key: '${KEY}' }"))
    expect(models[0]?.written).toMatchObject({ key: "${KEY}" })
    expect(JSON.stringify(models[0]?.written)).not.toContain("sk-secret")
  })

  it.each([
    { name: "a key", lines: "key: '${NOT_SET}'" },
    { name: "an empty key", lines: "key: '${EMPTY}'" },
    { name: "a header", lines: "headers: { Authorization: '${NOT_SET}' }" },
    { name: "an address", lines: "url: '${NOT_SET}/v1', key: '${KEY}'" },
  ])("without $name in the environment cannot be used; the file, servers and other models can", ({ lines }) => {
    const result = withModels(`main: { provider: openai, ${lines} }`, "other: { provider: openai, key: '${KEY}' }")
    const { models } = loaded(result)
    expect(models.map(({ name, config }) => [name, config !== null])).toEqual([
      ["main", false],
      ["other", true],
    ])
    expect(result.warnings).toMatchObject([
      { code: "missing-variable", line: 3, message: expect.stringContaining("the model `main` cannot be used") },
    ])
  })

  it("whose key stands in the file work, with a warning, and it is a secret", () => {
    const result = withModels("main: { provider: anthropic, key: sk-ant-literal }")
    expect(loaded(result)).toMatchObject({
      models: [{ config: { key: "sk-ant-literal" } }],
      secrets: ["sk-ant-literal"],
    })
    expect(result.warnings).toMatchObject([{ code: "secret-in-file", line: 3, column: 37 }])
  })

  it.each([
    { name: "an unknown key", line: "main: { provider: openai, keys: x }", says: "Did you mean `key`?" },
    {
      name: "a key of servers",
      line: "main: { provider: openai, key: '${KEY}', uri: x }",
      says: "Did you mean `url`?",
    },
    { name: "an unknown provider", line: "main: { provider: antropic }", says: "Did you mean `anthropic`?" },
    { name: "no provider", line: "main: { url: 'http://a.example' }", says: "needs `provider`" },
    { name: "no address", line: "main: { provider: openai-compatible }", says: "needs `url`" },
    { name: "no key", line: "main: { provider: google }", says: "${GEMINI_API_KEY}" },
    { name: "no script", line: "main: { provider: scripted }", says: "needs `script`" },
    { name: "a script of another", line: "main: { provider: openai, key: '${KEY}', script: x }", says: "no meaning" },
    { name: "a key of a script", line: "main: { provider: scripted, script: a.yaml, key: x }", says: "no meaning" },
    { name: "a bad address", line: "main: { provider: openai, key: '${KEY}', url: 'file:///x' }", says: "http://" },
    { name: "a password in it", line: "main: { provider: openai, url: 'http://a:b@c.example' }", says: "password" },
    { name: "a key of two lines", line: 'main: { provider: openai, key: "a\\nb" }', says: "no key has" },
    { name: "a bad name", line: "'a|b': { provider: openai, key: '${KEY}' }", says: "cannot be a model's name" },
    { name: "a step without effect", line: "main: { provider: scripted, script: [{ when: a }] }", says: "`say`" },
    { name: "a call without a tool", line: "main: { provider: scripted, script: [{ calls: [{}] }] }", says: "`tool`" },
    { name: "an unknown key of a step", line: "main: { provider: scripted, script: [{ sai: a }] }", says: "`say`?" },
    { name: "no steps", line: "main: { provider: scripted, script: [] }", says: "needs a step" },
  ])("cannot be read with $name", ({ line, says }) => {
    const result = withModels(line)
    expect(result.ok ? [] : result.problems.map(({ message }) => message).join("\n")).toContain(says)
    expect(found(result)[0]).toMatch(/ 3:\d+$/)
  })

  it("may be scripts, written out or in a file", () => {
    const full = readFileSync(new URL("../fixtures/full.yaml", import.meta.url), "utf8")
    const { models } = loaded(load(full))
    expect(models.map(({ name, provider }) => [name, provider])).toEqual([
      ["main", "openai-compatible"],
      ["claude-opus", "anthropic"],
      ["demo", "scripted"],
    ])
    expect(models[2]?.config).toEqual({
      ...{ name: "demo", provider: "scripted" },
      steps: [
        {
          reasoning: "First I look around.",
          say: "Let me look.",
          calls: [{ tool: "files(list_directory)", args: { path: "." } }],
        },
        { when: "notes", say: "There are notes." },
        { fail: { status: 529, message: "overloaded", retryAfter: 2 } },
      ],
    })
    const [filed] = loaded(withModels("demo: { provider: scripted, script: demo/tidy.yaml }")).models
    expect(filed).toMatchObject({ script: "/etc/byleave/demo/tidy.yaml", config: { steps: [] } })
  })
})

describe("readScript", () => {
  it("reads YAML and JSON alike", () => {
    const steps = [{ say: "Hello.", calls: [{ tool: "a(b)", args: { n: 1 } }] }]
    const yaml = "- say: Hello.\n  calls:\n    - { tool: a(b), args: { n: 1 } }\n"
    expect(readScript(yaml, "s.yaml")).toEqual({ ok: true, steps })
    expect(readScript(JSON.stringify(steps), "s.json")).toEqual({ ok: true, steps })
  })

  it("says where a script is wrong", () => {
    expect(readScript("- say: a\n- sagt: b\n", "s.yaml")).toMatchObject({
      ok: false,
      problems: [{ where: "s.yaml", line: 2, column: 3 }, { line: 2 }],
    })
  })
})

describe("wait", () => {
  it.each([
    { name: "nothing", text: "", wait: 28_800_000, waits: undefined },
    { name: "one time", text: "wait: 1h", wait: 3_600_000, waits: undefined },
    {
      name: "times by place",
      text: "wait: { gateway: 8h, chat: 2m, run: 30d }",
      ...{ wait: 28_800_000, waits: { chat: 120_000, run: 2_592_000_000 } },
    },
    { name: "never", text: "wait: { gateway: never, chat: never }", wait: null, waits: { chat: null, run: null } },
    { name: "some of them", text: "wait: { run: 1h }", wait: 28_800_000, waits: { chat: 300_000, run: 3_600_000 } },
  ])("reads $name", ({ text, wait, waits }) => {
    const { policy } = loaded(load(`version: 1\n${text}\n`))
    expect([policy.wait, policy.waits]).toEqual([wait, waits])
  })

  it.each(["wait: { chats: 5m }", "wait: { chat: soon }", "wait: [8h]", "wait: soon"])("refuses %s", (text) => {
    expect(load(`version: 1\n${text}\n`).ok).toBe(false)
  })
})
