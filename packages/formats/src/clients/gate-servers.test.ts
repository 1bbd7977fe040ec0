import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientPrograms } from "./client-programs.ts"
import { type ClientServer, clientServersIn } from "./client-servers.ts"
import { fileSyntaxes } from "./file-syntax.ts"
import { clientTexts } from "./fixtures/client-texts.ts"
import { allowServers, type GatedServer, gateServers } from "./gate-servers.ts"
import { movedServer } from "./moved-server.ts"
import { takeBack } from "./take-back.ts"

const url = "http://127.0.0.1:7337/mcp/x"

function gatedOf(server: ClientServer): readonly GatedServer[] {
  if (server.reached.kind === "command")
    return [{ way: "wrap", server, words: ["byleave", "wrap", "--name", server.name, "--"] }]
  return server.reached.kind === "address" ? [{ way: "address", server, url, token: { secret: "byl_agent_1" } }] : []
}

function setUp(id: string, at: number, text: string) {
  const client = clientPrograms.find((each) => each.id === id)
  const file = client?.files[at]
  if (client === undefined || file === undefined) throw new Error("no such client")
  const found = clientServersIn(text, client, file)
  if (!found.ok) throw new Error(`${found.line}: ${found.message}`)
  const changed = gateServers(text, client, file, found.servers.flatMap(gatedOf))
  if (changed === undefined) throw new Error("it cannot be changed")
  return { client, file, servers: found.servers, syntax: fileSyntaxes[file.syntax], ...changed }
}

it("R27: has a text of every client", () => {
  expect(clientTexts.map(({ client }) => client)).toEqual(clientPrograms.map(({ id }) => id))
})

describe.each(clientTexts)("$client, $name", ({ client: id, file: at, text }) => {
  it("R27: has all its servers behind Byleave, and nothing else changed", () => {
    const { client, file, servers, text: after } = setUp(id, at, text)
    const again = clientServersIn(after, client, file)
    if (!again.ok) throw new Error(again.message)
    expect(again.servers.map(({ name, path }) => [name, path])).toEqual(servers.map(({ name, path }) => [name, path]))
    for (const [index, { reached }] of servers.entries()) {
      const now = again.servers[index]?.reached
      if (reached.kind === "command") {
        expect(now).toMatchObject({ kind: "wrapped", wrap: { command: reached.command, args: reached.args } })
      } else if (reached.kind === "address") {
        expect(now).toMatchObject({ kind: "address", url, sse: false })
      } else expect(now).toEqual(reached)
    }
    const lost = text.split(/\r?\n/).flatMap((line) => /(?:\/\/|#|\/\*)(?=[ a-z]).*$/.exec(line)?.[0] ?? [])
    for (const comment of lost.filter((each) => !each.includes("example"))) expect(after).toContain(comment)
  })

  it("I1 is taken back to the very text", () => {
    const { text: after, changes, syntax } = setUp(id, at, text)
    expect(after).not.toBe(text)
    expect(takeBack(after, JSON.parse(JSON.stringify(changes)), syntax)).toEqual({ text, kept: [] })
  })

  it("is changed by the second setup no more", () => {
    const { client, file, text: after } = setUp(id, at, text)
    const found = clientServersIn(after, client, file)
    const left = found.ok ? found.servers.filter(({ reached }) => reached.kind === "command") : []
    expect(left).toEqual([])
  })

  it("I2 keeps what people write afterwards, whatever it is", () => {
    const { text: after, changes, syntax } = setUp(id, at, text)
    fc.assert(
      fc.property(handEdits(text, after), ({ before: expected, after: edited }) => {
        expect(takeBack(edited, changes, syntax)).toEqual({ text: expected, kept: [] })
      }),
      { numRuns: 60 },
    )
  })
})

/** The same edits of both texts, on lines that setup did not touch, each leaving a file that can be read. */
function handEdits(before: string, after: string) {
  const isCommentable = (line: string) => /[{[,]\s*$|^\s*$|^\s*[\w."-]+\s*[=:].*[^,[{(]$/.test(line)
  const untouched = [...new Set(before.split("\n"))].filter(
    (line) =>
      line.trim() !== "" && isCommentable(line) && before.split(line).length === 2 && after.split(line).length === 2,
  )
  const mark = /^\s*(\uFEFF)?(\{|\/\*)/.test(before) ? "//" : "#"
  const comment = fc.stringMatching(/^[a-z0-9 {}"',[\]]{0,20}$/)
  const oneLine = untouched.length === 0
  return fc.array(fc.tuple(fc.nat(), comment), { maxLength: 4 }).map((edits) => {
    const apply = (text: string) =>
      edits.reduce((current, [pick, words], at) => {
        const line = untouched[pick % Math.max(untouched.length, 1)]
        if (oneLine || line === undefined) return `${current}\n${mark} ${at}${words}`
        const ends = line.endsWith("\r") ? [line.slice(0, -1), "\r"] : [line, ""]
        return current.replace(line, () => `${ends[0]}${ends[1]}\n${mark} ${at}${words}${ends[1]}`)
      }, text)
    return { before: apply(before), after: apply(after) }
  })
}

it("a program that saves the file anew, laid out in its own way, leaves it undoable", () => {
  const { text } = clientTexts[0] ?? { text: "" }
  const { text: after, changes, syntax } = setUp("claude-code", 0, text)
  const back = takeBack(JSON.stringify({ ...JSON.parse(after), numStartups: 13 }), changes, syntax)
  expect(back.kept).toEqual([])
  expect(JSON.parse(back.text)).toEqual({ ...JSON.parse(text), numStartups: 13 })
})

it("I2: what people change behind `--` stays when it is undone", () => {
  const { text: after, changes, syntax } = setUp("cursor", 0, clientTexts[6]?.text ?? "")
  const edited = after.replace('"npx", "-y", "server"', '"bunx", "-y", "server", "--new"')
  expect(edited).not.toBe(after)
  const back = takeBack(edited, changes, syntax)
  expect(back.kept).toEqual([])
  expect(JSON.parse(back.text).mcpServers.files).toMatchObject({ command: "bunx", args: ["-y", "server", "--new"] })
})

it("what people changed beyond recognition stays, and is named", () => {
  const { text: after, changes, syntax } = setUp("cursor", 0, clientTexts[6]?.text ?? "")
  const back = takeBack(after.replace('"wrap", "--name"', '"wrap", "--data", "/x", "--name"'), changes, syntax)
  expect(back.kept).toEqual(["mcpServers.files.args"])
})

it.each([
  ["json", "cursor", 0, '{\n  "mcpServers": {\n    "a": { "command": "x" "args": [] }\n  }\n}', 3],
  ["a key twice", "cursor", 0, '{ "mcpServers": {\n "a": { "command": "x" },\n "a": { "command": "y" } } }', 3],
  ["toml", "codex", 0, '[mcp_servers.a]\ncommand = "x"\nargs = [\n', 4],
  ["yaml", "goose", 0, "extensions:\n  a: [\n", 3],
] as const)("a broken file is told by its line: %s", (_, id, at, text, line) => {
  const client = clientPrograms.find((each) => each.id === id)
  const file = client?.files[at]
  if (client === undefined || file === undefined) throw new Error("no such client")
  expect(clientServersIn(text, client, file)).toMatchObject({ ok: false, line })
})

describe("the lists by which Claude Code does not ask", () => {
  const allow = clientPrograms[0]?.files[1]?.allow
  if (allow === undefined) throw new Error("none")

  it.each(["github__delete_repo", "a b", "@scope/notes", "*", "ide", "computer-use"])(
    "have no rule for a server whose rule may mean another's tool: %s",
    (name) => {
      const changed = allowServers(null, allow, [name])
      expect(JSON.parse(changed?.text ?? "")).toEqual({ enabledMcpjsonServers: [name] })
    },
  )

  it.each([
    null,
    "",
    "{}",
    '{ "permissions": { "deny": ["Read(./.env)"] } }',
    '{\n  // mine\n  "permissions": {\n    "allow": [\n      "Bash(ls)"\n    ]\n  }\n}\n',
  ])("are made or added to, and taken back: %j", (text) => {
    const changed = allowServers(text, allow, ["files", "a-b_c"])
    const read = changed && JSON.parse(changed.text.replace("// mine", ""))
    expect(read).toMatchObject({ enabledMcpjsonServers: ["files", "a-b_c"] })
    expect(read.permissions.allow).toEqual(expect.arrayContaining(["mcp__files", "mcp__a-b_c"]))
    if (text !== null && text !== "" && changed !== undefined)
      expect(takeBack(changed.text, changed.changes, fileSyntaxes.json)).toEqual({ text, kept: [] })
    expect(allowServers(changed?.text ?? "", allow, ["files"])?.changes).toEqual([])
  })

  it("keep what people added to them since", () => {
    const changed = allowServers("{}\n", allow, ["files"])
    const edited = changed?.text.replace('"mcp__files"', '"mcp__files", "Bash(ls)"') ?? ""
    const back = takeBack(edited, changed?.changes ?? [], fileSyntaxes.json)
    expect(JSON.parse(back.text)).toEqual({ permissions: { allow: ["Bash(ls)"] } })
  })
})

it.each([
  ["claude-code", `Bearer \${X}`, `Bearer \${X}`],
  ["gemini-cli", `$X and \${Y}`, `\${X} and \${Y}`],
  ["cursor", `\${env:X}`, `\${env:X}`],
  ["opencode", `{env:X} \${Y}`, `\${X} $\${Y}`],
  ["opencode", "{file:~/key}", null],
  ["vs-code", `\${input:key}`, null],
  ["cursor", `\${workspaceFolder:x}`, null],
  ["cline", `a \${b}`, `a $\${b}`],
])("a header of %s moves with its reference: %s", (id, written, expected) => {
  const client = clientPrograms.find((each) => each.id === id)
  if (client === undefined) throw new Error("no such client")
  const headers = { written: new Map([["A", written]]), fromVariables: new Map<string, string>() }
  const moved = movedServer({ kind: "address", url: "https://a.example/mcp", sse: false, headers }, client)
  if (expected === null) expect(moved.ok).toBe(false)
  else expect(moved).toMatchObject({ ok: true, entry: { headers: { A: expected } } })
})
