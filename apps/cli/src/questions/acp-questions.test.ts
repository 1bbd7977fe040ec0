import { isDeepStrictEqual } from "node:util"
import { asObject, type JsonObject } from "@byleave/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { launchClients } from "../launch/launch-clients.ts"
import { acp } from "./acp-questions.ts"
import { type DrivenRelay, driveRelay } from "./fixtures/driven-relay.ts"
import { announces, gooseAnnounces, toldCalls, vagueCalls } from "./fixtures/recorded-acp.ts"

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
]
const asks = (toolCall: JsonObject, offered = options) => ({
  ...{ jsonrpc: "2.0", id: 5, method: "session/request_permission" },
  params: { sessionId: "s1", toolCall, options: offered },
})
const ended = {
  method: "session/update",
  params: { sessionId: "s1", update: { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "failed" } },
}
const answered = (optionId: string) => [{ id: 5, result: { outcome: { outcome: "selected", optionId } } }]
const relays = new Map<string, DrivenRelay>()
beforeAll(() => {
  for (const { name, stdio } of launchClients) {
    if (stdio?.protocol !== "acp") continue
    relays.set(
      name,
      driveRelay(acp(stdio), ({ args }) => Promise.resolve({ kind: "allow", args })),
    )
  }
})
afterAll(async () => {
  for (const relay of relays.values()) await relay.end()
})
function relayOf(program: string): DrivenRelay {
  const relay = relays.get(program)
  if (relay === undefined) throw new Error(`${program} is not driven by ACP.`)
  return relay
}

describe("calls that programs ask about (R93, R187)", () => {
  it.each(toldCalls)(
    "I1, I2: $program: $what is asked with its input, and with what the program says of it",
    async ({ program, tool, toolCall: call, input }) => {
      const relay = relayOf(program)
      if (input !== undefined) await relay.agentSays(announces(call, input))
      const { asked, agent, client } = await relay.agentSays(asks(call))
      await relay.agentSays(ended)
      const { rawInput, toolCallId: _, status: __, ...said } = call
      const isMore = input !== undefined && !isDeepStrictEqual(input, rawInput)
      const toolCall = { ...said, ...(isMore ? { announced: input } : {}) }
      expect(asked).toEqual([{ session: "s1", tool, args: { ...Object(rawInput), toolCall } }])
      expect(agent).toMatchObject(answered("yes"))
      expect(client).toEqual([])
    },
  )

  it.each(toldCalls.filter(({ others }) => others.length > 0))(
    "I2: $program: $what is another question with another member in its input",
    async ({ program, toolCall, input, others }) => {
      const relay = relayOf(program)
      const questions: unknown[] = []
      for (const more of [{}, ...others]) {
        if (input !== undefined) await relay.agentSays(announces(toolCall, { ...input, ...more }))
        const said = { ...toolCall, rawInput: { ...Object(toolCall.rawInput), ...(input === undefined ? more : {}) } }
        const { asked } = await relay.agentSays(asks(said))
        await relay.agentSays(ended)
        questions.push(...asked)
      }
      expect(new Set(questions.map((question) => JSON.stringify(question))).size).toBe(others.length + 1)
    },
  )

  it("I2: Gemini CLI: a command with additional permissions, which no option allows always, is answered no, unasked", async () => {
    const command = toldCalls.find(({ program, tool }) => program === "Gemini CLI" && tool === "execute")
    const once = options.filter(({ kind }) => kind !== "allow_always")
    const { asked, agent } = await relayOf("Gemini CLI").agentSays(asks(command?.toolCall ?? {}, once))
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answered("no"))
  })

  it.each(vagueCalls)("I1: $program: $what is answered no, unasked", async ({ program, toolCall }) => {
    const { asked, agent, client, said } = await relayOf(program).agentSays(asks(toolCall))
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answered("no"))
    expect(client).toEqual([])
    expect(said).toEqual([expect.stringContaining("It does not say which tool is to do what.")])
  })

  const command = { toolCallId: "c1", title: "Run", kind: "execute", rawInput: { command: "make" } }
  const place = [{ path: "/a" }]
  it.each([
    ["no kind", { kind: undefined }],
    ["a kind that is not known", { kind: "constructor" }],
    ["a kind that says nothing", { kind: "think" }],
    ["a change of mode", { kind: "switch_mode" }],
    ["a command that is empty", { rawInput: { command: " " } }],
    ["a command in the title alone", { rawInput: undefined }],
    ["a list as its input", { rawInput: ["rm", "-r"] }],
    ["an input that would hide what the program says", { rawInput: { command: "make", toolCall: { title: "ls" } } }],
    ["an edit without a change", { kind: "edit", locations: place, rawInput: { path: "/a" } }],
    ["a change without a place", { kind: "edit", rawInput: { path: "/a", diff: "+x" } }],
    ["a deletion without a place", { kind: "delete", rawInput: { path: "/a" } }],
    ["a move with one place", { kind: "move", locations: place }],
    ["a search for nothing", { kind: "search", locations: place, rawInput: { path: "/a" } }],
    ["a name without an input", { name: "wipe", kind: "other", rawInput: undefined }],
  ])("I1: a question with %s is answered no, unasked", async (_, more) => {
    const call: JsonObject = { ...command, ...(more as JsonObject) }
    const relay = relayOf("Copilot CLI")
    await relay.agentSays(announces(call, asObject(call.rawInput ?? null) ?? { command: "make" }))
    const { asked, agent } = await relay.agentSays(asks(call))
    await relay.agentSays(ended)
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answered("no"))
  })

  it("a call that is named is asked by its name, whatever its kind", async () => {
    const call = { title: "Read", kind: "other", name: "evil-wipe", rawInput: { title: "Wipe" } }
    const relay = relayOf("Copilot CLI")
    const said = { toolCallId: "c1", ...call }
    const { asked } = await relay.agentSays(announces(said, call.rawInput), asks(said))
    await relay.agentSays(ended)
    const { rawInput, ...toolCall } = call
    expect(asked).toEqual([{ session: "s1", tool: "evil-wipe", args: { ...rawInput, toolCall } }])
  })
})

describe("the input that a program announces", () => {
  const call = { toolCallId: "c1", title: "rm x.txt", kind: "execute", rawInput: { command: "rm x.txt" } }
  const input = { command: "rm x.txt", workdir: "/home/me/build" }
  const updates = (more: JsonObject) =>
    announces({ toolCallId: "c1", status: "in_progress", ...more }, undefined, update)
  const update = "tool_call_update"

  it("I2: is the latest one", async () => {
    const relay = relayOf("opencode")
    await relay.agentSays(
      announces(call, {}),
      announces(call, { workdir: "/" }, update),
      announces(call, input, update),
    )
    const { asked, agent } = await relay.agentSays(updates({}), asks(call))
    await relay.agentSays(ended)
    expect(asked).toMatchObject([{ args: { command: "rm x.txt", toolCall: { announced: input } } }])
    expect(agent).toMatchObject(answered("yes"))
  })

  it.each([
    ["that is not announced", []],
    ["announced without an input", [announces(call, undefined)]],
    ["announced with an empty input", [announces(call, {})]],
    ["announced with another command", [announces(call, { ...input, command: "rm -r /" })]],
    ["announced without its command", [announces(call, { workdir: "/home/me" })]],
    ["announced as another kind", [announces({ ...call, kind: "edit" }, input)]],
    ["announced twice", [announces(call, input), announces(call, input)]],
    ["whose input is not read whole", [announces(call, input), updates({ title: "#".repeat(4_300_000) })]],
    ["that an update makes another one", [announces(call, input), announces(call, { command: "ls" }, update)]],
  ])("I2: a call %s is answered no, unasked", async (_, messages) => {
    const relay = relayOf("opencode")
    await relay.agentSays(...messages)
    const { asked, agent } = await relay.agentSays(asks(call))
    await relay.agentSays(ended)
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answered("no"))
  })

  it("I2: a call at another place than announced is answered no, unasked", async () => {
    const at = (path: string) => ({ ...call, kind: "read", rawInput: { path: "/a" }, locations: [{ path }] })
    const relay = relayOf("Copilot CLI")
    const { asked, agent } = await relay.agentSays(announces(at("/b"), { path: "/a" }), asks(at("/a")))
    await relay.agentSays(ended)
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answered("no"))
  })

  it.each([
    ["changes", announces(call, { ...input, workdir: "/" }, update), "no"],
    ["ends", ended, "no"],
    ["stays as it is", announces(call, input, update), "yes"],
  ])("I2: a yes to a call that %s while it is asked about is answered as it then is", async (_, meanwhile, answer) => {
    const decided = Promise.withResolvers<void>()
    const relay = driveRelay(acp(), ({ args }) => decided.promise.then(() => ({ kind: "allow", args })))
    const { asked, agent } = await relay.agentSays(announces(call, input), asks(call), meanwhile)
    expect(asked).toHaveLength(1)
    expect(agent).toEqual([])
    decided.resolve()
    expect((await relay.agentSays(updates({}))).agent).toMatchObject(answered(answer))
    await relay.end()
  })
})

describe("calls that Goose announces with their names", () => {
  const input = { path: "/etc/hostname" }
  const call = { toolCallId: "c1", kind: "other", title: "evil: wipe", rawInput: input }
  const announced = gooseAnnounces("evil__wipe", input)
  it("are asked by that name, each time anew", async () => {
    for (const name of ["evil__wipe", "shell"]) {
      const { asked } = await relayOf("Goose").agentSays(gooseAnnounces(name, input), asks(call), ended)
      const toolCall = { kind: "other", title: "evil: wipe" }
      expect(asked).toEqual([{ session: "s1", tool: name, args: { ...input, toolCall } }])
    }
  })

  it.each([
    ["of another session", [gooseAnnounces("evil__wipe", input, "s2")]],
    ["with another input", [gooseAnnounces("evil__wipe", { path: "/a" })]],
    ["that has ended", [announced, ended]],
    ["whose id another open call has", [announced, gooseAnnounces("evil__read_file", input)]],
    ["whose id another open call has, of the same name", [announced, announced]],
    ["that cannot be read whole", [gooseAnnounces("evil__wipe", { ...input, filler: "#".repeat(4_300_000) })]],
  ])("are answered no for a call %s", async (_, messages) => {
    const { asked, agent, client } = await relayOf("Goose").agentSays(...messages, asks(call), ended)
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answered("no"))
    expect(client).toHaveLength(messages.length + 1)
    await relayOf("Goose").agentSays({ ...ended, params: { ...ended.params, sessionId: "s2" } })
  })
})
