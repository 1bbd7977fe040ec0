/** What the programs themselves were seen to do with rules, by `npm run agents -- --rules`. */
import { type Effect, emptyPolicy, formatTargetPattern, type Policy } from "@byleave/core"
import { describe, expect, it } from "vitest"
import type { KnownTools } from "./language.ts"
import { ruleLanguages } from "./languages.ts"

function language(id: string) {
  const found = ruleLanguages.find((each) => each.id === id)
  if (found === undefined) throw new Error(`There is no ${id}.`)
  return found
}

function read(id: string, text: string) {
  const result = language(id).read(text, { name: "rules", servers: ["files", "files_x", "web", "a__b"] })
  if (!result.ok) return { problems: result.problems.map(({ code, path }) => `${code} ${path}`) }
  return { rules: result.rules.map(({ effect, target }) => `${effect}: ${formatTargetPattern(target)}`) }
}

function policy(
  rules: ReadonlyArray<readonly [Effect, server: string, tool: string]>,
  more: Partial<Policy> = {},
): Policy {
  const written = rules.map(([effect, server, name], at) => ({
    ...{ id: `rule ${at}`, effect, origin: { where: "test" } },
    target: { server, kind: "tool" as const, name, whole: false },
  }))
  return { ...emptyPolicy, rules: written as Policy["rules"], ...more }
}

const known: KnownTools = new Map([
  ["files", ["read_file", "write_file", "list"]],
  ["web", ["get", "put.page"]],
])
const write = (id: string, from: Policy) => language(id).write(from, { known })
const lists = (id: string, from: Policy) => JSON.parse(write(id, from).text).permissions

describe("rules that programs read otherwise than one would think (R130)", () => {
  it.each([
    {
      name: "Gemini CLI refuses a file with a rule for no tool",
      id: "gemini",
      text: '[[rule]]\nmcpName = "files"\ndecision = "allow"\npriority = 1\n',
      is: { problems: ["missing-key rule[0]"] },
    },
    {
      name: "Gemini CLI refuses a file with a rule for several servers",
      id: "gemini",
      text: '[[rule]]\nmcpName = ["files", "web"]\ntoolName = "*"\ndecision = "allow"\npriority = 1\n',
      is: { problems: ["wrong-type rule[0].mcpName"] },
    },
    {
      name: "Gemini CLI refuses a file with a rule without a priority",
      id: "gemini",
      text: '[[rule]]\ntoolName = "*"\ndecision = "allow"\n',
      is: { problems: ["missing-key rule[0]"] },
    },
    {
      name: "Gemini CLI takes what stands before _* for a server, and never for the beginning of a tool",
      id: "gemini",
      text: '[[rule]]\ntoolName = "mcp_files_x_*"\ndecision = "allow"\npriority = 1\n',
      is: { rules: ["allow: files_x(*)"] },
    },
    {
      name: "Gemini CLI matches no tool by its name on all servers",
      id: "gemini",
      text: '[[rule]]\nmcpName = "*"\ntoolName = "get"\ndecision = "allow"\npriority = 1\n',
      is: { rules: [] },
    },
    {
      name: "Gemini CLI makes no exception for a tool by its name on all servers",
      id: "gemini",
      text: '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 0\n[[rule]]\nmcpName = "*"\ntoolName = "get"\ndecision = "ask_user"\npriority = 1\n',
      is: { rules: ["deny: *(*)"] },
    },
    {
      name: "Qwen Code knows a wildcard at the end alone",
      id: "qwen",
      text: '{"permissions": {"allow": ["mcp__files__*_file", "mcp__files__read_*"]}}',
      is: { rules: ["allow: files(read_*)"] },
    },
    {
      name: "Qwen Code does not look at what stands in parentheses",
      id: "qwen",
      text: '{"permissions": {"deny": ["mcp__files__drop(x)"]}}',
      is: { rules: ["deny: files(drop)"] },
    },
    {
      name: "Qwen Code takes a server with the separator in its name for a tool of another",
      id: "qwen",
      text: '{"permissions": {"allow": ["mcp__a__b"]}}',
      is: { rules: ["allow: a(b)"] },
    },
    {
      name: "Copilot CLI takes shell for its commands, and sql for a server",
      id: "copilot",
      text: "--allow-tool shell 'memory(store)' sql --deny-tool 'write(.env)' --excluded-tools bash",
      is: { rules: ["allow: sql(*)"] },
    },
    {
      name: "Copilot CLI turns off a server by its name alone",
      id: "copilot",
      text: "--disable-mcp-server memory",
      is: { rules: ["deny: memory(*)"] },
    },
    {
      name: "Claude Code has servers of its own",
      id: "claude-code",
      text: '{"permissions": {"allow": ["mcp__ide__executeCode", "mcp__computer-use", "mcp__web"], "deny": ["mcp__ide"]}}',
      is: { rules: ["allow: web(*)", "deny: ide(*)"] },
    },
    {
      name: "Goose has extensions of its own",
      id: "goose",
      text: "user:\n  always_allow: [developer__shell, files__list]\n  never_allow: [developer__tree]\n",
      is: { rules: ["allow: files(list)", "deny: developer(tree)"] },
    },
    {
      name: "opencode takes external_directory for what is outside the folder",
      id: "opencode",
      text: '{"permission": {"external_directory": "allow", "plan_exit": "allow", "web_get": "allow"}}',
      is: { rules: ["allow: web(get)"] },
    },
    {
      name: "Copilot CLI knows no tool called *",
      id: "copilot",
      text: "--allow-tool 'web(*)' --deny-tool 'files(*)'",
      is: { rules: ["deny: files(*)"] },
    },
  ])("$name", ({ id, text, is }) => {
    expect(read(id, text)).toEqual(is)
  })
})

describe("rules that programs would not keep to (R130, R185)", () => {
  it("Gemini CLI is given a tool's name in every rule", () => {
    const { text } = write("gemini", policy([["allow", "files", "read_file"]]))
    expect(text.match(/^\[\[rule\]\]$/gm)?.length).toBe(text.match(/^toolName = /gm)?.length)
    expect(text).toContain('mcpName = "files"\ntoolName = "*"\ndecision = "ask_user"')
  })

  it("Gemini CLI is told of a name that it changes as it compares it, and runs nothing by it", () => {
    const odd = "a tool with a name that is far too long to be given to a model as it is"
    const from = policy([
      ["deny", "files", odd],
      ["allow", "files", "*"],
      ["allow", "my server", "get"],
    ])
    const { text } = write("gemini", from)
    expect(text).toContain('toolName = "mcp_files_a_tool_with_a_name_t...o_be_given_to_a_model_as_it_is"')
    expect(text).not.toContain("my server")
  })

  it("Qwen Code is given names in place of patterns, and asks about known tools that no rule allows", () => {
    expect(
      lists(
        "qwen",
        policy([
          ["deny", "files", "*_file"],
          ["allow", "files", "list"],
          ["allow", "web", "get"],
        ]),
      ),
    ).toEqual({
      allow: ["mcp__files__list", "mcp__web__get"],
      ask: ["mcp__web__put.page"],
      deny: ["mcp__files__read_file", "mcp__files__write_file"],
    })
  })

  it.each(["qwen", "copilot"])("%s: the report says that what calls itself read-only may run", (id) => {
    const { losses } = write(id, policy([["allow", "files", "read_file"]]))
    expect(losses).toContainEqual(
      expect.objectContaining({ kind: "weaker", path: "files", why: expect.stringContaining("read-only") }),
    )
  })

  it("Copilot CLI does not find a tool with a dot, so that its server is not allowed as a whole where it is denied", () => {
    const from = policy([
      ["allow", "web", "*"],
      ["deny", "web", "put.page"],
      ["allow", "files", "*"],
    ])
    expect(write("copilot", from).text).toBe("--allow-tool=files\n--allow-tool='web(get)'\n")
  })

  it.each([
    { id: "copilot", server: "shell", tool: "git", says: "" },
    { id: "copilot", server: "memory", tool: "store", says: "" },
    { id: "goose", server: "developer", tool: "shell", says: "always_allow: []" },
    { id: "claude-code", server: "ide", tool: "executeCode", says: '"allow": []' },
    { id: "claude-code", server: "computer-use", tool: "click", says: '"allow": []' },
    { id: "opencode", server: "external", tool: "directory", says: '"external_*": "ask"' },
  ])("$id is not told of an allow for $server($tool), and the report says so", ({ id, server, tool, says }) => {
    const { text, losses } = write(
      id,
      policy([
        ["allow", server, "*"],
        ["allow", server, tool],
      ]),
    )
    expect(text).toContain(says)
    if (says === "") expect(text).toBe("")
    const why = expect.stringContaining("means something of its own by this name")
    expect(losses).toContainEqual(
      expect.objectContaining({
        kind: "stricter",
        path: server,
        written: `allow: ${server}(${tool})`,
        why,
        became: "ask",
      }),
    )
  })

  it("opencode runs the other tools of a server with such a name, where they are known", () => {
    const from = policy([["allow", "external", "*"]])
    const { text } = language("opencode").write(from, { known: new Map([["external", ["directory", "search"]]]) })
    expect(JSON.parse(text)).toEqual({ permission: { "external_*": "ask", external_search: "allow" } })
  })

  it.each([
    {
      id: "copilot",
      server: "shell",
      text: "",
      loss: { kind: "weaker", written: "deny: shell(git)", why: "Copilot CLI means something of its own by this name" },
    },
    {
      id: "opencode",
      server: "external",
      text: '"external_git": "deny"',
      loss: { kind: "stricter", written: "external_*: ask", became: "ask, for both" },
    },
  ])("$id: what a denial for $server cannot say, or says besides, is in the report", ({ id, server, text, loss }) => {
    const written = write(id, policy([["deny", server, "git"]]))
    expect(written.text).toContain(text)
    expect(written.losses).toContainEqual(expect.objectContaining({ path: server, ...loss }))
  })

  it("a denial by a word of Copilot CLI itself also holds for a server of that name", () => {
    const read = (servers: readonly string[]) => {
      const result = language("copilot").read("--deny-tool shell --excluded-tools memory", { name: "rules", servers })
      return result.ok ? result.rules.map(({ effect, target }) => `${effect}: ${formatTargetPattern(target)}`) : result
    }
    expect(read(["files"])).toEqual([])
    expect(read(["shell", "memory"])).toEqual(["deny: shell(*)", "hide: memory(*)"])
  })

  it("Copilot CLI does not start with a server's name that it cannot read, so that no flag has one", () => {
    const from = policy(["a:b", "it's", "ü", "a b", "a*"].map((server) => ["allow", server, "get"] as const))
    expect(write("copilot", from).text).toBe("")
    expect(write("copilot", policy([["allow", "@scope/my.notes-2", "get"]])).text).toBe(
      "--allow-tool='@scope/my.notes-2(get)'\n",
    )
  })

  it.each(["cursor", "cursor-cli", "claude-code"])("%s: a tool called * is none of its patterns", (id) => {
    const from = policy([["allow", "files", "[!r]*"]])
    const { text } = language(id).write(from, { known: new Map([["files", ["*", "read_file"]]]) })
    expect(text).not.toMatch(/files:\*|"mcp__files(?:__\*)?"/)
  })

  it("Claude Code allows no more than a server offers, also where names are not known", () => {
    const servers = [{ id: "files", trust: "none", pin: "full", offer: ["read_*", "list"] }] as const
    const from = policy([["allow", "files", "*"]], { servers })
    expect(JSON.parse(language("claude-code").write(from, { known: new Map() }).text).permissions.allow).toEqual([
      "mcp__files__list",
      "mcp__files__read_*",
    ])
  })
})
