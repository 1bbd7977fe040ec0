/** Rules of other programs, sent to a running service by somebody who means no good, or by mistake. */
import { readFileSync } from "node:fs"
import type { Client } from "@byleave/api"
import { ruleLanguages } from "@byleave/formats/languages"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { codeOf, must } from "./open-service.ts"

const config = `version: 1
policy:
  rules:
    - ask: "files(write_file)" # by hand
reviewers: { presence: none }
`
const deep = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`

/** Texts that cannot be read as rules, with the place that the answer names. */
const refused = [
  { name: "deep nesting", format: "claude-code", source: deep('{"a":', "}", 5_000), line: 1 },
  { name: "deep nesting of TOML", format: "codex", source: `a = ${deep("[", "]", 20_000)}`, line: 1 },
  { name: "deep nesting of YAML", format: "goose", source: deep("[", "]", 20_000), line: 1 },
  {
    name: "the same key twice",
    format: "claude-code",
    source: '{"permissions": {"deny": ["mcp__a"]},\n "permissions": {}}',
    line: 2,
  },
  { name: "the same table twice", format: "codex", source: "[mcp_servers.a]\n\n[mcp_servers.a]\n", line: 3 },
  {
    name: "a huge number",
    format: "gemini",
    source: `[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 1e999\n`,
    line: 4,
  },
  { name: "aliases that grow", format: "goose", source: bomb(), line: 2 },
  { name: "a quote that is not closed", format: "copilot", source: "--allow-tool 'files", line: 1 },
  { name: "one name with 50,000 places to split it", format: "opencode", source: splits("_"), line: 1 },
  {
    name: "what is no text",
    format: "claude-code",
    source: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString("utf8"),
    line: 1,
  },
] as const

/** Texts that are read, and must allow nothing. */
const harmless = [
  {
    name: "names of an object's machinery",
    format: "claude-code",
    source: '{"__proto__": {"permissions": {"allow": ["mcp__a"]}}}',
  },
  { name: "the same in YAML", format: "goose", source: "__proto__:\n  user: { always_allow: [a__b] }\n" },
  {
    name: "an expression in place of a name",
    format: "copilot",
    source: "--allow-tool '(a+)+$' '(.*)' '(*)' 'a(' ')'",
  },
  {
    name: "a date in place of a name",
    format: "gemini",
    source: '[[rule]]\ndecision = "allow"\npriority = 1\ntoolName = 2026-01-01T00:00:00Z\n',
  },
  { name: "an empty text", format: "claude-code", source: "{}" },
] as const

const patience = { timeout: 20_000 }

function bomb(): string {
  const level = (at: number) => `l${at}: &l${at} [${Array.from({ length: 9 }, () => `*l${at - 1}`).join(", ")}]\n`
  return `l0: &l0 [x, x]\n${Array.from({ length: 9 }, (_, at) => level(at + 1)).join("")}user: { always_allow: *l9 }\n`
}

function splits(separator: string): string {
  return JSON.stringify({ permission: { [separator.repeat(50_000)]: "deny" } })
}

describe("R130: rules of other programs over the API", { timeout: 60_000 }, () => {
  let place: Place
  let url: string
  let client: Client

  beforeAll(async () => {
    place = makePlace(config)
    await place.command("init", "--presence", "none", "--data", place.data)
    url = (await place.serve()).url
    client = await place.reviewer(url)
  }, 60_000)
  afterAll(() => place.dispose())

  const importRules = (format: string, source: string) =>
    client.importRules({ body: { format, source, prefer: "imported" } })
  const rulesInForce = async () => must(await client.getPolicy()).rules.map(({ text }) => text)

  it.each(refused)("refuses $name, and says where it is", async ({ format, source, line }) => {
    const answer = must(await importRules(format, source))
    expect(answer).toMatchObject({ ok: false, text: null, added: [] })
    expect(answer.why).toContain("cannot be read as rules of")
    expect(answer.problems[0]).toMatchObject({ line, column: expect.any(Number), message: expect.any(String) })
  })

  it.each(harmless)("allows nothing by $name", async ({ format, source }) => {
    const answer = must(await importRules(format, source))
    expect(answer.added.filter((rule) => rule.startsWith("allow"))).toEqual([])
  })

  it.each(ruleLanguages)(
    "$name: any text of the longest size gets an answer while others get theirs",
    async ({ id }) => {
      const sources = [
        deep("[", "]", 99_999),
        '{"permissions":{"allow":["',
        "*?[]".repeat(49_000),
        "a__".repeat(60_000),
      ]
      const answers = sources.map((source) => importRules(id, source.slice(0, 200_000)))
      const [health, ...read] = await Promise.all([fetch(`${url}/healthz`), ...answers])
      expect(health.status).toBe(200)
      for (const answer of read) expect(must(answer).added.filter((rule) => rule.startsWith("allow"))).toEqual([])
    },
  )

  it("exports no allow for what reviewers denied or quarantined besides the rules, over the API and at the terminal", async () => {
    const at = ["--data", place.data, "--url", url]
    expect(await place.command("grants", "add", "notes(write)", "--deny", ...at)).toMatchObject({ code: 0 })
    const denied = "mcp__notes__write"
    expect(must(await client.exportRules({ params: { id: "claude-code" } })).text).toContain(denied)
    const exported = await place.command("export", "claude-code", "--data", place.data)
    expect(exported, exported.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(denied) })
    expect(exported.stderr).toContain(`The rules are from ${place.config}.`)
    const alone = await place.command("export", "claude-code", "--config", place.config, "--data", place.data)
    expect(alone.stderr).toContain(`The rules are from ${place.config} alone.`)
    const [grant] = must(await client.listGrants()).items
    expect(await place.command("grants", "revoke", grant?.id ?? "", ...at)).toMatchObject({ code: 0 })
  })

  it("refuses what is longer before it is read", async () => {
    const longest = await importRules("claude-code", `{"a": "${"x".repeat(200_000)}"}`)
    expect(codeOf(longest)).toBe("bad-request")
    const huge = await importRules("claude-code", "x".repeat(10 * 1024 * 1024))
    expect(huge).toMatchObject({
      ok: false,
      problem: { status: expect.toSatisfy((status) => status >= 400 && status < 500) },
    })
  })

  it("changes nothing by reading, and asks before anything is allowed that was not", async () => {
    const before = readFileSync(place.config, "utf8")
    const inForce = await rulesInForce()
    const source = JSON.stringify({
      permissions: { allow: ["mcp__files", "mcp__web__get"], deny: ["mcp__files__drop"] },
    })
    const { text, version } = must(await importRules("claude-code", source))
    expect(readFileSync(place.config, "utf8")).toBe(before)
    expect(await rulesInForce()).toEqual(inForce)
    if (text === null) throw new Error("There is no text.")
    must(await client.savePolicy({ body: { text, version, widening: "waits" } }))
    const waiting = async () => must(await client.listApprovals({ query: { server: "byleave" } })).items
    await expect
      .poll(async () => (await waiting()).map(({ tool }) => tool), patience)
      .toMatchObject([{ server: "byleave", tool: "change_policy" }])
    expect((await rulesInForce()).filter((rule) => rule.startsWith("allow"))).toEqual([])
  })

  it("writes what is in force in every language, and knows no other", async () => {
    for (const { id } of ruleLanguages) {
      const { text, language } = must(await client.exportRules({ params: { id } }))
      expect(language.id).toBe(id)
      expect(text).not.toContain("undefined")
    }
    for (const id of ["__proto__", "constructor", "../claude-code", ""]) {
      expect((await client.exportRules({ params: { id } })).ok).toBe(false)
    }
  })
})
