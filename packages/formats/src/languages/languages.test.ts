import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { compileGlob, formatTargetPattern } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { importedPolicy } from "./fixtures/imported-policy.ts"
import { answerBy } from "./fixtures/random-rules.ts"
import type { ReadRulesOptions } from "./language.ts"
import { ruleLanguages } from "./languages.ts"

const servers = ["files", "web", "@scope/notes"]
const tools = new Map([["files", ["read_file", "write_file", "move_file"]]])

function sample(name: string): string {
  return readFileSync(fileURLToPath(new URL(`./fixtures/samples/${name}`, import.meta.url)), "utf8")
}

function read(id: string, text: string, options: Partial<ReadRulesOptions> = {}) {
  const language = ruleLanguages.find((each) => each.id === id)
  const result = language?.read(text, { name: "rules", servers, tools, ...options })
  if (result?.ok !== true) throw new Error(JSON.stringify(result))
  return {
    rules: result.rules.map(({ effect, target }) => `${effect}: ${formatTargetPattern(target)}`),
    losses: result.losses.map(({ kind, path, line }) => `${kind} ${path}:${line}`),
    default: result.default,
    offers: result.offers,
    asks: result.asks,
  }
}

describe("rules of other programs", () => {
  it("Copilot CLI: servers, tools and scoped names; its own tools are named and left out (R29, R30, R31, R185)", () => {
    expect(read("copilot", sample("copilot.txt"))).toEqual({
      rules: [
        "allow: files(read_file)",
        "allow: web(*)",
        "allow: @scope/notes(search)",
        "deny: files(move_file)",
        "hide: web(post)",
      ],
      losses: [
        "no-effect --allow-tool:1",
        "dropped --allow-tool:4",
        "stricter --allow-all-tools:6",
        "dropped --model:6",
      ],
      default: undefined,
      offers: [],
      asks: [],
    })
  })

  it("Copilot CLI: a list of available tools denies the rest", () => {
    const { rules, default: answer } = read("copilot", "--available-tools='files(read_file)',web --allow-tool web")
    expect({ rules, answer }).toEqual({ rules: ["allow: web(*)", "ask: files(read_file)"], answer: "deny" })
  })

  it("Copilot CLI: saved permissions hold in their folder, unless it is named", () => {
    expect(read("copilot", sample("copilot-saved.json")).rules).toEqual([])
    expect(read("copilot", sample("copilot-saved.json"), { folder: "/home/ada/notes" }).rules).toEqual([
      "allow: files(read_file)",
    ])
  })

  it("Claude Code: servers, wildcards and tools in three lists; native rules are reported", () => {
    expect(read("claude-code", sample("claude-code.json"))).toMatchObject({
      rules: ["allow: files(read_file)", "allow: web(*)", "ask: files(write[!A-Za-z0-9-]*)", "deny: @scope/notes(*)"],
      losses: [
        "dropped model:3",
        "dropped permissions.allow[2]:5",
        "dropped permissions.allow[3]:5",
        "dropped permissions.defaultMode:8",
      ],
    })
  })

  it.each([
    { id: "claude-code", text: '{"permissions":{"allow":["mcp___scope_notes__search"],"deny":["mcp___scope_notes"]}}' },
    { id: "qwen", text: '{"permissions":{"allow":["mcp___scope_notes__search"],"deny":["mcp___scope_notes"]}}' },
    { id: "opencode", text: '{"permission":{"_scope_notes_*":"deny"}}' },
  ])(
    "$id: a restriction of a server whose name is rewritten holds for every server that is written so (R130)",
    (each) => {
      const result = ruleLanguages.find(({ id }) => id === each.id)?.read(each.text, { name: "rules", servers: [] })
      if (result?.ok !== true) throw new Error(JSON.stringify(result))
      const denies = result.rules.filter(({ effect }) => effect === "deny").map(({ target }) => target)
      const isDenied = (server: string) =>
        denies.some(({ server: glob, name }) => name === "*" && compileGlob(glob)(server))
      expect(["@scope/notes", "_scope_notes", ".scope.notes"].filter((server) => !isDenied(server))).toEqual([])
      expect(["xscope-notes", "@scope/notes2", "files"].filter(isDenied)).toEqual([])
      const told = result.losses.find(({ why }) => why.includes("none that is known has this name"))
      expect(told).toMatchObject({ kind: "stricter", line: 1 })
      expect(told?.became).toContain("for all that are written so")
    },
  )

  it.each([
    { id: "claude-code", text: '{"permissions":{"allow":["mcp__web"],"deny":["mcp__web__put_page"]}}' },
    { id: "qwen", text: '{"permissions":{"allow":["mcp__web"],"deny":["mcp__web__put_page"]}}' },
    { id: "opencode", text: '{"permission":{"web_*":"allow","web_put_page":"deny"}}' },
    {
      id: "gemini",
      text: '[[rule]]\nmcpName="web"\ntoolName="*"\ndecision="allow"\npriority=1\n[[rule]]\nmcpName="web"\ntoolName="put_page"\ndecision="deny"\npriority=2\n',
    },
  ])(
    "$id: a restriction of a tool whose name may be rewritten holds for every tool that is written so (R130)",
    (each) => {
      const alike = "deny: web(put[!A-Za-z0-9-]page)"
      expect(read(each.id, each.text).rules).toContain(alike)
      const asTold = (names: readonly string[]) => read(each.id, each.text, { tools: new Map([["web", names]]) }).rules
      expect(asTold(["put/page"])).toContain(alike)
      const told = asTold(["put_page", "put/page", "put"]).filter((rule) => rule.startsWith("deny"))
      expect(told.toSorted()).toEqual(["deny: web(put/page)", "deny: web(put_page)"])
    },
  )

  it.each([
    { id: "claude-code", deny: "*", runs: [] },
    { id: "claude-code", deny: "m*", runs: [] },
    { id: "claude-code", deny: "*__read_file", runs: ["move_file"] },
    { id: "qwen", deny: "*", runs: [] },
    { id: "qwen", deny: "mcp_*", runs: [] },
    { id: "qwen", deny: "mcp*", runs: [] },
  ])("$id: a denial of $deny reaches the tools of servers (R130)", ({ id, deny, runs }) => {
    const text = JSON.stringify({ permissions: { allow: ["mcp__files"], deny: [deny] } })
    const result = ruleLanguages.find((each) => each.id === id)?.read(text, { name: "rules", servers })
    if (result?.ok !== true) throw new Error(JSON.stringify(result))
    const answer = answerBy(importedPolicy(result))
    const isRun = (tool: string) => answer({ server: "files", tool, args: {}, principal: "ann" }) === "allow"
    expect(["read_file", "move_file"].filter(isRun)).toEqual(runs)
  })

  it.each(["claude-code", "qwen"])(
    "%s: nothing is allowed that an unknown name in a denial may be about, and native tools are named",
    (id) => {
      const of = (deny: string) => read(id, JSON.stringify({ permissions: { allow: ["mcp__files"], deny: [deny] } }))
      expect(of("move_file").rules).toEqual(["ask: *(move_file)", "allow: files(*)"])
      expect(of("Bash(rm:*)").rules).toEqual(["allow: files(*)"])
    },
  )

  it("a denial by a name that was cut in the middle holds for every tool it may stand for (R130)", () => {
    const tool = "a".repeat(60)
    const gemini = `mcp_files_${tool}`
    const qwen = `mcp__files__${tool}`
    const text = `[[rule]]\ntoolName = "${gemini.slice(0, 30)}...${gemini.slice(-30)}"\ndecision = "deny"\npriority = 2\n`
    expect(read("gemini", text).rules).toEqual([`deny: files(${"a".repeat(20)}*${"a".repeat(30)})`])
    const deny = [`${qwen.slice(0, 28)}___${qwen.slice(-32)}`]
    expect(read("qwen", JSON.stringify({ permissions: { deny } })).rules).toEqual([
      `deny: files(${"a".repeat(16)}*${"a".repeat(32)})`,
    ])
  })

  it("Codex: a tool's mode wins over its server's, and tools are enabled and disabled", () => {
    expect(read("codex", sample("codex.toml"))).toEqual({
      rules: ["hide: files(move_file)", "allow: files(read_file)", "ask: web(post)", "allow: web(*)"],
      losses: ["dropped model:1", "stricter mcp_servers.web.tools.post.approval_mode:15"],
      default: undefined,
      offers: [{ server: "files", tools: ["read_file", "write_file", "move_file"] }],
      asks: ["files"],
    })
  })

  it("Codex: a list of enabled tools of a server that is not configured hides it", () => {
    const { rules, losses } = read("codex", sample("codex.toml"), { configured: [] })
    expect(rules).toContain("hide: files(*)")
    expect(losses).toContain("stricter mcp_servers.files.enabled_tools:5")
  })

  it("Gemini CLI: the highest priority decides; conditions on arguments restrict every call", () => {
    expect(read("gemini", sample("gemini.toml"))).toMatchObject({
      rules: ["deny: files(write_file)", "allow: files(read_file)", "allow: web(*)"],
      losses: ["stricter rule[1]:7", "dropped rule[4]:25"],
      default: "deny",
    })
  })

  it("Gemini CLI: trust and lists in its settings", () => {
    expect(read("gemini", sample("gemini-settings.json"))).toMatchObject({
      rules: ["allow: web(*)", "hide: web(post)"],
      offers: [{ server: "files", tools: ["read_file"] }],
    })
  })

  it("Qwen Code: permissions beside trust", () => {
    expect(read("qwen", sample("qwen.json")).rules).toEqual([
      "allow: web(*)",
      "allow: files(read_file)",
      "deny: files(move_file)",
    ])
  })

  it("Goose: the first list that has a tool decides", () => {
    expect(read("goose", sample("goose.yaml"))).toMatchObject({
      rules: ["allow: files(read_file)", "ask: files(write_file)", "deny: web(post)"],
      losses: ["dropped smart_approve:9", "no-effect user.never_allow[1]:8"],
    })
  })

  it("opencode: the last pattern decides, and a general ask leaves its exceptions", () => {
    expect(read("opencode", sample("opencode.json"))).toMatchObject({
      rules: ["deny: files(move_file)", "allow: files(read_*)", "allow: web(*)"],
      losses: ["dropped permission.bash.git *:4"],
      default: "ask",
    })
  })

  it("Cline and Roo Code: lists of names, taken literally", () => {
    expect(read("cline", sample("cline.json")).rules).toEqual(["allow: files(read_file)", "hide: web(*)"])
    expect(read("roo", sample("roo.json")).rules).toEqual(["allow: files(read_file)", "hide: files(move_file)"])
  })

  it("Cursor: allow-lists of the editor, and tokens of the command", () => {
    expect(read("cursor", sample("cursor.json"))).toMatchObject({
      rules: ["allow: files(read_file)", "allow: web(*)"],
      losses: ["dropped terminalAllowlist:4"],
    })
    expect(read("cursor-cli", sample("cursor-cli.json"))).toMatchObject({
      rules: ["allow: files(read_file)", "deny: web(*)"],
      losses: ["dropped permissions.allow[1]:3"],
    })
  })

  it("VS Code: tools that always ask", () => {
    expect(read("vscode", sample("vscode.json")).rules).toEqual(["ask: files(move_file)"])
  })

  it("OpenAI: approval by words and by lists, and allowed tools", () => {
    expect(read("openai", sample("openai.json"))).toMatchObject({
      rules: ["ask: files(write_file)", "allow: files(read_file)", "allow: web(*)"],
      offers: [{ server: "web", tools: ["get"] }],
      losses: ["dropped model:2", "dropped tools[2]:17"],
    })
  })

  it("tool lists per server: globs that block and that run unasked", () => {
    expect(read("tool-lists", sample("tool-lists.yaml")).rules).toEqual([
      "hide: files(*_delete*)",
      "allow: files(*_list*)",
      "allow: files(read_[ab])",
    ])
  })
})
