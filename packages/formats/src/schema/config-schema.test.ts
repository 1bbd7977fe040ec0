import { readFileSync } from "node:fs"
import type { JsonObject, JsonValue } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { createSchemaCheck } from "@byleave/core/schema"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { loadConfig } from "../load-config.ts"
import { configSchema } from "./config-schema.ts"

const check = createSchemaCheck(configSchema as JsonObject)
const isLoaded = (text: string): boolean => {
  const env = new Map([
    ["TRACKER_TOKEN", "t0ken-value"],
    ["FILES_KEY", "f1les-key"],
    ["HOME", "/home/ada"],
  ])
  return loadConfig(text, { name: "byleave.yaml", folder: "/etc", home: "/home/ada", env, hasher: nodeHasher }).ok
}
const fits = (text: string): boolean => check(parse(text) as JsonValue).length === 0

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")
const guide = [...read("../../../../docs/guides/policy.md").matchAll(/^```yaml full\n(.*?)^```/gms)]
  .map(([, text]) => text ?? "")
  .filter((text) => text.startsWith("version:"))
const server = (lines: string): string => `version: 1\nservers:\n  files: ${lines}\n`
const model = (lines: string): string => `version: 1\nmodels:\n  main: ${lines}\n`
const rule = (lines: string): string =>
  `version: 1\nservers: { files: { command: x } }\npolicy: { rules: [${lines}] }\n`

describe("configSchema", () => {
  it("takes every complete example: of the guide, and of the loader's tests", () => {
    expect(guide.length).toBeGreaterThan(0)
    for (const text of [read("../fixtures/byleave.yaml"), read("../fixtures/full.yaml"), ...guide]) {
      expect(check(parse(text) as JsonValue)).toEqual([])
    }
  })

  it.each([
    server("{ command: x, args: [1, true, a], toolList: { pages: 2, bytes: 3MB, within: 5s } }"),
    server("{ url: 'https://a.example', headers: { X: 1 }, newTools: offer, approval: never }"),
    rule("{ ask: files, reviewers: [ops], wait: never, approvals: 2 }"),
    "version: 1\nlimits: { heldBytesInAll: 1000, denials: { count: 1, within: 1.5h } }\nretention: 2d\n",
    "version: 1\nreviewers: { groups: { ops: [ada] } }\n",
    "version: 1\nwait: { gateway: 8h, chat: 5m, run: never }\n",
    model("{ provider: openai-compatible, url: 'http://127.0.0.1:1/v1' }"),
    model("{ provider: scripted, script: tidy.yaml }"),
    model("{ provider: scripted, script: [{ say: a }, { calls: [{ tool: a(b) }], fail: { message: x } }] }"),
  ])("takes what the loader takes: %s", (text) => {
    expect([isLoaded(text), fits(text)]).toEqual([true, true])
  })

  it.each([
    "servers: {}\n",
    "version: 2\n",
    "version: 1\npolcy: {}\n",
    server("{ command: x, url: 'https://a.example' }"),
    server("{ args: [x] }"),
    server("{ command: x, pin: maybe }"),
    server("{ command: x, timeout: soon }"),
    rule("{ hide: files, when: { path: { glob: x } } }"),
    rule("{ allow: files, approvals: 2 }"),
    rule("{ allow: files, deny: files }"),
    rule("{ allow: files, when: {} }"),
    rule("{ allow: files, when: { path: { oneOf: [] } } }"),
    rule("{ reason: none }"),
    "version: 1\nlimits: { bulk: { writes: 3 } }\n",
    "version: 1\nlimits: { waitingPerSession: 0 }\n",
    "version: 1\nreviewers: { presence: maybe }\n",
    "version: 1\nwait: { chat: soon }\n",
    model("{ url: 'http://127.0.0.1:1/v1' }"),
    model("{ provider: azure, key: x }"),
    model("{ provider: scripted, script: [{ calls: [{ args: {} }] }] }"),
    model("{ provider: scripted, script: [{ fail: { status: 500 } }] }"),
  ])("refuses what the loader refuses: %s", (text) => {
    expect([isLoaded(text), fits(text)]).toEqual([false, false])
  })

  it.each([
    { name: "the file", text: "version: 1\nzzzzzz: 1\n", at: [] },
    { name: "a server", text: server("{ command: x, zzzzzz: 1 }"), at: ["servers", "files"] },
    {
      name: "a tool list",
      text: server("{ command: x, toolList: { zzzzzz: 1 } }"),
      at: ["servers", "files", "toolList"],
    },
    { name: "the policy", text: "version: 1\npolicy: { zzzzzz: 1 }\n", at: ["policy"] },
    { name: "modes", text: "version: 1\npolicy: { modes: { zzzzzz: 1 } }\n", at: ["policy", "modes"] },
    { name: "a rule", text: rule("{ ask: files, zzzzzz: 1 }"), at: ["policy", "rules", "0"] },
    {
      name: "a condition",
      text: rule("{ ask: files, when: { a: { zzzzzz: 1 } } }"),
      at: ["policy", "rules", "0", "when", "a"],
    },
    { name: "classify", text: "version: 1\npolicy: { classify: [{ zzzzzz: 1 }] }\n", at: ["policy", "classify", "0"] },
    { name: "limits", text: "version: 1\nlimits: { zzzzzz: 1 }\n", at: ["limits"] },
    ...["bulk", "coolDown", "denials"].map((limit) => ({
      ...{ name: limit, text: `version: 1\nlimits: { ${limit}: { zzzzzz: 1 } }\n`, at: ["limits", limit] },
    })),
    { name: "agents", text: "version: 1\nagents: { zzzzzz: 1 }\n", at: ["agents"] },
    { name: "reviewers", text: "version: 1\nreviewers: { zzzzzz: 1 }\n", at: ["reviewers"] },
    { name: "wait", text: "version: 1\nwait: { zzzzzz: 1 }\n", at: ["wait"] },
    { name: "a model", text: model("{ provider: openai, zzzzzz: 1 }"), at: ["models", "main"] },
    {
      name: "a step",
      text: model("{ provider: scripted, script: [{ zzzzzz: 1 }] }"),
      at: ["models", "main", "script", "0"],
    },
    {
      name: "a call of a step",
      text: model("{ provider: scripted, script: [{ calls: [{ zzzzzz: 1 }] }] }"),
      at: ["models", "main", "script", "0", "calls", "0"],
    },
    {
      name: "a failure",
      text: model("{ provider: scripted, script: [{ fail: { zzzzzz: 1 } }] }"),
      at: ["models", "main", "script", "0", "fail"],
    },
  ])("knows every key that the loader takes in $name, and no other", ({ text, at }) => {
    expect(keysTakenIn(text)).toEqual(keysAt(configSchema, at))
  })

  it("says of every key what it is for", () => {
    expect(keysWithoutWords(configSchema, "")).toEqual([])
  })
})

/** The loader names the keys it takes where it finds one that is like none of them. */
function keysTakenIn(text: string): readonly string[] {
  const loaded = loadConfig(text, { name: "byleave.yaml", folder: "/etc", env: new Map(), hasher: nodeHasher })
  const problems = loaded.ok ? [] : loaded.problems
  const said = problems.find(({ code }) => code === "unknown-key")?.message ?? ""
  return (/may have: (.*)\.$/.exec(said)?.[1] ?? "").split(", ").sort()
}

type Part = { readonly [key: string]: unknown }

/** The keys of the maps that may stand at a place. */
function keysAt(schema: Part, at: readonly string[]): readonly string[] {
  const parts = at.reduce<readonly Part[]>(
    (found, name) => found.flatMap(formsOf).flatMap((part) => within(part, name)),
    [schema],
  )
  return [...new Set(parts.flatMap(formsOf).flatMap(({ properties }) => Object.keys(properties ?? {})))].sort()
}

function formsOf(part: Part): readonly Part[] {
  return (part.anyOf as readonly Part[] | undefined) ?? [part]
}

function within({ properties, items, additionalProperties }: Part, name: string): readonly Part[] {
  const own = (properties as { readonly [key: string]: Part } | undefined)?.[name]
  const other = own ?? items ?? additionalProperties
  return typeof other === "object" && other !== null ? [other as Part] : []
}

/** Lists the keys of a schema, by path, that have no description. */
function keysWithoutWords(node: unknown, path: string): readonly string[] {
  if (typeof node !== "object" || node === null) return []
  return Object.entries(node).flatMap(([key, value]) =>
    key === "properties"
      ? Object.entries(value as object).flatMap(([name, part]) => [
          ...(typeof part.description === "string" && part.description !== "" ? [] : [`${path}.${name}`]),
          ...keysWithoutWords(part, `${path}.${name}`),
        ])
      : keysWithoutWords(value, path),
  )
}
