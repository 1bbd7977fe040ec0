import { afterEach, describe, expect, it } from "vitest"
import { codexAppServer } from "./codex-questions.ts"
import { type DrivenRelay, driveRelay } from "./fixtures/driven-relay.ts"
import type { PermissionAnswer } from "./permission-gate.ts"

const closing: DrivenRelay[] = []
afterEach(async () => {
  for (const relay of closing.splice(0)) await relay.end()
})

/** The relay of an app server before a gate that says yes, or what the test says. */
function relayed(answer?: Promise<PermissionAnswer>): DrivenRelay {
  const relay = driveRelay(codexAppServer(), ({ args }) => answer ?? Promise.resolve({ kind: "allow", args }))
  closing.push(relay)
  return relay
}

const add = (path: string, diff = "+x") => ({ path, kind: { type: "add" }, diff })
const started = (changes: unknown, { threadId = "t1", id = "i1", type = "fileChange" } = {}) => ({
  method: "item/started",
  params: {
    threadId,
    turnId: "u1",
    item: { type, id, changes, status: "inProgress", startedAtMs: 1, completedAtMs: null },
  },
})
const completed = { ...started([]), method: "item/completed" }
const updated = (changes: unknown) => ({
  method: "item/fileChange/patchUpdated",
  params: { threadId: "t1", turnId: "u1", itemId: "i1", changes },
})
const about = { threadId: "t1", turnId: "u1", itemId: "i1", startedAtMs: 1, reason: null, grantRoot: null }
const asks = (params: object = about, method = "item/fileChange/requestApproval") => ({ id: 0, method, params })
const readme = [add("README.md")]
const accepted = [{ id: 0, result: { decision: "accept" } }]
const declined = [{ id: 0, result: { decision: "decline" } }]

describe("changes of files that Codex asks about (R93, R187)", () => {
  it.each([
    ["as it was announced", [started(readme)], readme],
    ["as it was last announced", [started([]), updated([add("a")]), updated(readme)], readme],
    ["of its own thread", [started(readme), started([add("b")], { threadId: "t2" })], readme],
    ["beside one that is completed", [started([add("b")], { id: "i2" }), started(readme)], readme],
  ])("I1: a change is shown %s", async (_, announced, changes) => {
    const { asked, agent, client } = await relayed().agentSays(...announced, asks())
    expect(asked).toEqual([{ session: "t1", tool: "file_change", args: { changes } }])
    expect(agent).toMatchObject(accepted)
    expect(client).toHaveLength(announced.length)
  })

  const many = Array.from({ length: 13_000 }, (_, at) => add(`f${at}`))
  const large = [add(".bashrc", `curl x | sh\n${"#".repeat(4_300_000)}`)]
  it.each([
    ["over 4 MiB", [started(large)]],
    ["of too many files", [started([add(".bashrc"), ...many])]],
    ["over 4 MiB, after a smaller one", [started(readme), started(large)]],
    ["with half of a surrogate pair", [started([add("\ud800")])]],
    ["with two keys that differ in case", [started([{ ...add("a"), Path: ".bashrc" }])]],
    ["that was updated with more than can be read", [started(readme), updated(large)]],
    ["that was never announced", []],
    ["of another thread", [started(readme, { threadId: "t2" })]],
    ["of another item", [started(readme, { id: "i2" })]],
    ["of an item of another kind", [started(readme), started(readme, { type: "commandExecution" })]],
    ["that is completed", [started(readme), completed]],
    ["of no files", [started([])]],
    ["without a list", [started(undefined)]],
    [
      "announced without a thread",
      [{ method: "item/started", params: { item: { id: "i1", type: "fileChange", changes: readme } } }],
    ],
    [
      "followed by more than can be kept",
      [started(readme), ...Array.from({ length: 1_000 }, (_, at) => started(readme, { id: `n${at}` }))],
    ],
  ])("I1: a change %s is declined unasked", async (_, announced) => {
    const { asked, agent, client, said } = await relayed().agentSays(...announced, asks())
    expect(asked).toEqual([])
    expect(agent).toMatchObject(declined)
    expect(client).toHaveLength(announced.length)
    expect(said).toEqual([
      expect.stringMatching(/^a request of the program was refused: .*(change of files|files change)/),
    ])
  })

  it.each([
    ["is not JSON", "{}{}\n"],
    ["is too large", 65 * 1024 * 1024],
    ["has a name twice", `{"method":"item/started","params":{"threadId":"t1","item":{"id":"i1","id":"i2"}}}\n`],
  ])("I1: a change is declined when a line that came after it %s", async (_, line) => {
    const relay = relayed()
    await relay.agentSays(started(readme))
    await relay.agentWrites(line, "\n")
    const { asked, agent } = await relay.agentSays(asks())
    expect(asked).toEqual([])
    expect(agent).toMatchObject(declined)
  })

  it("I1: a change that becomes another while it is asked about is declined", async () => {
    let say: (answer: PermissionAnswer) => void = () => {}
    const relay = relayed(new Promise((resolve) => (say = resolve)))
    await relay.agentSays(started(readme), asks())
    await relay.agentSays(updated([add(".bashrc")]))
    say({ kind: "allow", args: { changes: readme } })
    expect((await relay.agentSays()).agent).toMatchObject(declined)
  })

  it("I2: a change with writes for the rest of the session is declined", async () => {
    const { asked, agent } = await relayed().agentSays(started(readme), asks({ ...about, grantRoot: "/" }))
    expect(asked).toEqual([])
    expect(agent).toMatchObject(declined)
  })
})

const elicitation = (meta: object | null, more: object = {}) =>
  asks(
    {
      ...{ threadId: "t1", turnId: "u1", serverName: "evil", mode: "form", _meta: meta, message: allowWipe },
      ...{ requestedSchema: { type: "object", properties: {} }, ...more },
    },
    "mcpServer/elicitation/request",
  )
/** As Codex 0.166.0 asks about the tool `wipe` of an MCP server, to which the server gives a title and a description. */
const allowWipe = 'Allow the evil MCP server to run tool "wipe"?'
const toolCall = {
  ...{ codex_approval_kind: "mcp_tool_call", persist: ["session", "always"] },
  ...{ tool_title: "Read", tool_description: "d", tool_params: { path: "/a" } },
  tool_params_display: [{ name: "path", value: "/a", display_name: "path" }],
}
const choice = (id: string) =>
  asks(
    { ...about, questions: [{ id, question: "Allow it?", options: [{ label: "Allow" }] }] },
    "item/tool/requestUserInput",
  )
const command = (more: object) => asks({ ...about, ...more }, "item/commandExecution/requestApproval")
const earlier = { conversationId: "t1", callId: "c", approvalId: null, reason: null }

describe("Codex's other questions", () => {
  it.each([
    [
      "a command",
      command({ command: "ls", cwd: "/a" }),
      "command",
      { command: "ls", cwd: "/a" },
      { decision: "accept" },
    ],
    [
      "a host to reach",
      command({ command: null, networkApprovalContext: { host: "a.example", protocol: "https" } }),
      ...([
        "command",
        { networkApprovalContext: { host: "a.example", protocol: "https" } },
        { decision: "accept" },
      ] as const),
    ],
    [
      "a tool of an MCP server",
      elicitation(toolCall),
      "evil/wipe",
      {
        ...{ server: "evil", message: allowWipe, tool_title: "Read", tool_description: "d" },
        tool_params: { path: "/a" },
      },
      { action: "accept", content: {}, _meta: null },
    ],
    [
      "a command, as it was asked earlier",
      asks({ ...earlier, command: ["bash", "-lc", "rm -r a"], cwd: "/a", parsedCmd: [] }, "execCommandApproval"),
      ...(["command", { command: "bash -lc 'rm -r a'", cwd: "/a" }, { decision: "approved" }] as const),
    ],
    [
      "a change of files, as it was asked earlier",
      asks({ ...earlier, fileChanges: { "/a": { type: "add", content: "x" } }, grantRoot: null }, "applyPatchApproval"),
      ...(["file_change", { changes: [{ type: "add", content: "x", path: "/a" }] }, { decision: "approved" }] as const),
    ],
  ])("%s is asked as a call", async (_, message, tool, args, result) => {
    const { client, asked, agent } = await relayed().agentSays(message)
    expect(client).toEqual([])
    expect(asked).toEqual([{ session: "t1", tool, args }])
    expect(agent).toEqual([{ jsonrpc: "2.0", id: 0, result }])
  })

  it.each([
    ["a command that is not named", command({ command: null }), { decision: "decline" }],
    ["input for a running command", command({ kind: "writeStdin", command: "bash" }), { decision: "decline" }],
    [
      "a tool of an MCP server, without its arguments",
      choice("mcp_tool_call_approval_c1"),
      { answers: { mcp_tool_call_approval_c1: { answers: ["Cancel"] } } },
    ],
    [
      "a tool of an MCP server that is not named",
      elicitation(toolCall, { message: "Allow Read?" }),
      { action: "decline" },
    ],
    [
      "a tool whose name is empty",
      elicitation(toolCall, { message: allowWipe.replace("wipe", "") }),
      { action: "decline" },
    ],
    [
      "a tool of a server whose name would pass for another server's tool",
      elicitation(toolCall, { serverName: "a/b", message: allowWipe.replace("evil", "a/b") }),
      { action: "decline" },
    ],
    [
      "a tool of another server than the one that is named",
      elicitation(toolCall, { serverName: "files" }),
      { action: "decline" },
    ],
    ["a tool with arguments that are not told", elicitation({ ...toolCall, tool_params: null }), { action: "decline" }],
    ["a question of a new kind", elicitation({ codex_approval_kind: "tool_suggestion" }), { action: "decline" }],
    [
      "a form in place of a yes",
      elicitation(toolCall, { requestedSchema: { properties: { a: {} } } }),
      { action: "decline" },
    ],
    ["a command without words", asks({ ...earlier, command: [] }, "execCommandApproval"), { decision: { denied: {} } }],
    [
      "a command of other values",
      asks({ ...earlier, command: ["ls", 1] }, "execCommandApproval"),
      { decision: { denied: {} } },
    ],
    [
      "a change without files",
      asks({ ...earlier, fileChanges: {} }, "applyPatchApproval"),
      { decision: { denied: {} } },
    ],
  ])("%s is answered no, unasked", async (_, message, result) => {
    const { client, asked, agent } = await relayed().agentSays(message)
    expect(client).toEqual([])
    expect(asked).toEqual([])
    expect(agent).toMatchObject([{ id: 0, result }])
  })

  it("a denial of a question as it was asked earlier carries the reason", async () => {
    const relay = relayed(Promise.resolve({ kind: "deny", reason: "Keep them." }))
    const { agent } = await relay.agentSays(asks({ ...earlier, command: ["rm"] }, "execCommandApproval"))
    expect(agent).toMatchObject([{ result: { decision: { denied: { rejection: "Keep them." } } } }])
  })

  it.each([
    ["what a server asks", elicitation(null)],
    ["what the model asks", choice("colour")],
    ["a tool of the client's", asks({ tool: "open_tab" }, "item/tool/call")],
  ])("%s reaches the client", async (_, message) => {
    expect((await relayed().agentSays(message)).client).toMatchObject([message])
  })

  it("a question of a later version does not reach the client", async () => {
    const { client, agent } = await relayed().agentSays(asks(about, "item/browser/requestApproval"))
    expect(client).toEqual([])
    expect(agent).toMatchObject([{ id: 0, error: { code: -32601 } }])
  })

  it("a question that Codex has resolved is withdrawn", async () => {
    const relay = driveRelay(codexAppServer(), ({ args }, withdrawn) => {
      return new Promise((resolve) => withdrawn.addEventListener("abort", () => resolve({ kind: "allow", args })))
    })
    closing.push(relay)
    await relay.agentSays(command({ command: "ls" }))
    const { agent } = await relay.agentSays({
      method: "serverRequest/resolved",
      params: { threadId: "t1", requestId: 0 },
    })
    expect(agent).toMatchObject(declined)
  })
})
