import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { acp } from "./acp-questions.ts"
import { type DrivenRelay, driveRelay } from "./fixtures/driven-relay.ts"
import type { PermissionAnswer } from "./permission-gate.ts"

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "yes", name: "Once", kind: "allow_once" },
  { optionId: "no", name: "No", kind: "reject_once" },
]
const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } })
const question = (rawInput: unknown, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 5,
  method: "session/request_permission",
  params: { sessionId: "s1", toolCall: { toolCallId: "t", title: "Run", kind: "execute", rawInput }, options },
  ...more,
})
const text = (message: unknown) => `${JSON.stringify(message)}\n`
const plain = question({ command: "make" })
const nested = (depth: number) => JSON.parse("[".repeat(depth) + "]".repeat(depth))
const notUtf8 = (message: unknown) => {
  const [before = "", after = ""] = text(message).split("!")
  return Buffer.concat([Buffer.from(before), Buffer.from([0xff]), Buffer.from(after)])
}
const update = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s1" } }
const invalid = (id: unknown) => ({ id, error: { code: -32600 } })
const reads = (id: unknown) => ({ jsonrpc: "2.0", id, method: "fs/read_text_file", params: { path: "/a" } })
const answer = (id: unknown, result: unknown = chosen("yes")) => JSON.stringify({ jsonrpc: "2.0", id, result })

/** The gate's part: yes, unless a test holds the questions. */
let held: Array<(answer: PermissionAnswer) => void> | null = null
const yes = (args: object) => ({ kind: "allow", args }) as PermissionAnswer
let relay: DrivenRelay
beforeAll(() => {
  relay = driveRelay(acp({ inputIn: "question" }), ({ args }, withdrawn) => {
    const waiting = held
    if (waiting === null) return Promise.resolve(yes(args))
    return new Promise((resolve) => {
      waiting.push(resolve)
      // A yes that comes when the question was withdrawn.
      withdrawn.addEventListener("abort", () => resolve(yes(args)))
    })
  })
})
afterEach(() => {
  held = null
})
afterAll(() => relay.end())

describe("lines of the agent's program (R93, R187)", () => {
  it.each([
    ["with two keys that differ in case", text(question({ command: "rm", Command: "" }))],
    ["with half of a surrogate pair", text(question({ command: "rm", description: "\ud800" }))],
    ["with too many values", text(question({ command: "rm", list: Array.from({ length: 50_001 }, () => 1) }))],
    ["nested too deep", text(question({ command: "rm", list: nested(130) }))],
    ["over 4 MiB", text(question({ command: "rm", filler: "#".repeat(4_300_000) }))],
    ["that is not UTF-8", notUtf8(question({ command: "rm !" }))],
    ["with a member twice", text(plain).replace('"command":"make"', '"command":"rm","command":"make"')],
    ["with the method twice, last", text(plain).replace('"id":5', '"id":5,"method":"session/update"')],
    ["that says nothing of what is done", text(question(undefined)).replace('"title":"Run",', "")],
    [
      "that names a call announced before by its id",
      text(plain).replace(/"title".*?\}(?=,"options)/, '"title":"Run make"}'),
    ],
    ["with a list of parameters", text({ ...plain, params: [plain.params] })],
  ])("I1: a question %s is answered no, and heard by nobody", async (_, line) => {
    const { client, agent, asked, said } = await relay.agentWrites(line)
    expect(client).toEqual([])
    expect(asked).toEqual([])
    const outcome = line.includes('"params":[') ? { outcome: { outcome: "cancelled" } } : chosen("no")
    expect(agent).toEqual([{ jsonrpc: "2.0", id: 5, result: outcome }])
    expect(said).toEqual([expect.stringContaining("a request of the program was refused")])
  })

  it.each([
    [
      "with the method twice, first",
      text(plain).replace('"params"', '"method":"session/update","params"'),
      [invalid(5)],
    ],
    ["with its method in another case", text(plain).replace("method", "Method"), [invalid(5)]],
    ["with its method in letters that fold", text(plain).replace("params", "param\u017f"), [invalid(5)]],
    ["with a result beside it", text({ ...plain, result: {} }), [invalid(5)]],
    ["whose method is no text", text({ ...plain, method: [plain.method] }), [invalid(5)]],
    ["in a batch", text([update, plain, { ...plain, id: "6" }]), [invalid(5), invalid("6")]],
    ["without an id", text({ ...plain, id: undefined }), []],
    ["whose id is null", text({ ...plain, id: null }), [invalid(null)]],
    ["whose id is an object", text({ ...plain, id: { a: 1 } }), [invalid(null)]],
    ["whose id is very long", text({ ...plain, id: "5".repeat(2_000) }), [invalid(null)]],
    ["after a byte order mark", `\ufeff${text(plain)}`, []],
    ["that ends early", `${text(plain).slice(0, -3)}\n`, []],
    [
      "of a later version",
      text({ ...plain, method: "session/request_permission_2" }),
      [{ id: 5, error: { code: -32601 } }],
    ],
    ["of another program", text({ ...plain, method: "_vendor/ask_permission" }), [{ id: 5, error: { code: -32601 } }]],
    [
      "for a file, with two keys that differ in case",
      text({ ...reads(5), params: { path: "a", Path: "b" } }),
      [invalid(5)],
    ],
  ])("I2: a request %s does not reach the client", async (_, line, answers) => {
    const { client, agent, asked } = await relay.agentWrites(line, text(update))
    expect(client).toEqual([update])
    expect(asked).toEqual([])
    expect(agent).toMatchObject(answers)
  })

  it.each([
    ["with an escaped member name", [text(plain).replace("method", "\\u006dethod")]],
    ["that ends with CR LF", [text(plain).replace("\n", "\r\n")]],
    ["in pieces", [text(plain).slice(0, 40), text(plain).slice(40, 90), text(plain).slice(90)]],
    ["in one piece with another message", [text({ method: "session/update" }) + text(plain)]],
  ])("a question %s is asked", async (_, pieces) => {
    const { client, agent, asked } = await relay.agentWrites(...pieces)
    expect(client.map(({ method }) => method)).not.toContain(plain.method)
    const toolCall = { title: "Run", kind: "execute" }
    expect(asked).toEqual([{ session: "s1", tool: "execute", args: { command: "make", toolCall } }])
    expect(agent).toEqual([{ jsonrpc: "2.0", id: 5, result: chosen("yes") }])
  })

  it("chooses no option whose id another option has", async () => {
    const alike = options.map((option) => ({ ...option, optionId: option.kind === "reject_once" ? "no" : "yes" }))
    const { agent } = await relay.agentSays({ ...plain, params: { ...plain.params, options: alike } })
    expect(agent).toMatchObject([{ result: { outcome: { outcome: "cancelled" } } }])
  })

  it.each([
    ["a large notification", { ...update, params: { text: "#".repeat(5_000_000) } }],
    ["a notification of many values", { ...update, params: { list: Array.from({ length: 60_000 }, () => 1) } }],
    ["a notification with half of a surrogate pair", { ...update, params: { text: "\ud83d" } }],
    ["a notification with two keys that differ in case", { ...update, params: { path: "a", Path: "b" } }],
    ["a deep notification", { ...update, params: { list: nested(500) } }],
    ["a notification of a later version", { ...update, method: "session/new_kind" }],
    ["an answer to the client", { jsonrpc: "2.0", id: 5, result: { text: "#".repeat(5_000_000) } }],
    ["an error for the client", { jsonrpc: "2.0", id: null, error: { code: -32700, message: "What?" } }],
  ])("I5: %s reaches the client", async (_, message) => {
    expect((await relay.agentSays(message)).client).toEqual([message])
  })

  it("a large file to write reaches the client, and the client's answer the program", async () => {
    const writes = { ...reads(7), method: "fs/write_text_file", params: { content: "#".repeat(5_000_000) } }
    expect((await relay.agentSays(writes)).client).toEqual([writes])
    expect((await relay.clientWrites(answer(7, null))).agent).toMatchObject([{ id: 7, result: null }])
  })

  it("a notification is one message to readers that end lines elsewhere", async () => {
    const hidden = `{"method":"session/update","params":{"a":\r${text(plain).trim()}\r}}\n`
    expect((await relay.agentWrites(hidden)).client).toEqual([{ method: "session/update", params: { a: plain } }])
  })

  it("lines that are not JSON, or without end, are left out, and said once", async () => {
    const other = driveRelay(acp({ inputIn: "question" }), ({ args }) => Promise.resolve(yes(args)))
    const { client, said } = await other.agentWrites("Loading\nDone\n", 65 * 1024 * 1024, "\n", text(update))
    await other.end()
    expect(client).toEqual([update])
    expect(said).toEqual([
      "a line of the program was not passed on: it is not JSON that can be read",
      "a line of the program was not passed on: it is larger than 64 MiB",
    ])
  })
})

describe("lines of the client", () => {
  it("I1: its answers to questions that went to the gate are left out, before, while and after they are asked", async () => {
    held = []
    expect((await relay.clientWrites(answer(5))).agent).toEqual([])
    expect((await relay.agentSays(plain)).asked).toHaveLength(1)
    expect((await relay.clientWrites(answer(5), answer("5"), answer(5, {}))).agent).toEqual([])
    held[0]?.({ kind: "deny", reason: "No." })
    expect((await relay.clientWrites(answer(5))).agent).toMatchObject([{ id: 5, result: chosen("no") }])
    expect((await relay.clientWrites(answer(5))).agent).toEqual([])
  })

  it.each([
    ["in a batch", `[${answer(5)}]`],
    ["with a method that is null", answer(5).replace('"id"', '"method":null,"id"')],
    ["with a method beside it", answer(5).replace('"id"', '"method":"session/cancel","id"')],
    ["with its id twice", answer(7).replace('"id"', '"id":5,"id"')],
    ["with its id in another case", answer(7).replace('"id"', '"ID":5,"id"')],
    ["with an escaped name", answer(5).replace('"result"', '"\\u0072esult"')],
    ["with an id that is true", answer(true)],
    ["with an error", answer(5).replace('"result"', '"error"')],
    ["with half of a surrogate pair", answer(5, { ...chosen("yes"), note: "\ud800" })],
    ["over 4 MiB", answer(5, { ...chosen("yes"), note: "#".repeat(4_300_000) })],
  ])("I3: an answer %s does not stand for the gate's", async (_, line) => {
    held = []
    await relay.agentSays(plain)
    expect((await relay.clientWrites(line)).agent).toEqual([])
    held[0]?.({ kind: "deny", reason: "No." })
    expect((await relay.clientWrites()).agent).toMatchObject([{ id: 5, result: chosen("no") }])
  })

  it("I3: an answer within another message is no line of its own", async () => {
    held = []
    await relay.agentSays(plain)
    const { agent } = await relay.clientWrites(`{"method":"session/cancelled","params":\r${answer(5)}\r}`)
    expect(agent).toEqual([{ method: "session/cancelled", params: JSON.parse(answer(5)) }])
    held[0]?.({ kind: "deny", reason: "No." })
    await relay.clientWrites()
  })

  it("I3: its answer to a request that it was passed reaches the program once, with the id of its type", async () => {
    expect((await relay.agentSays(reads(7))).client).toEqual([reads(7)])
    expect((await relay.clientWrites(answer("7"), answer(8), answer(null))).agent).toEqual([])
    expect((await relay.clientWrites(answer(7, { content: "a" }))).agent).toMatchObject([{ id: 7 }])
    expect((await relay.clientWrites(answer(7))).agent).toEqual([])
    await relay.agentSays(reads("7"))
    expect((await relay.clientWrites(answer(7))).agent).toEqual([])
    expect((await relay.clientWrites(answer("7"))).agent).toMatchObject([{ id: "7" }])
  })

  it("its requests pass, large ones as well", async () => {
    const prompt = { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { image: "#".repeat(5_000_000) } }
    expect((await relay.clientWrites(JSON.stringify(prompt))).agent).toEqual([prompt])
  })

  it("hears what was wrong with a request that cannot be passed on", async () => {
    const { agent, client } = await relay.clientWrites(`[{"id":3,"method":"session/prompt"}]`, "not JSON")
    expect(agent).toEqual([])
    expect(client).toMatchObject([{ id: 3, error: { code: -32600 } }])
  })
})

describe("requests with one id", () => {
  it("I4: two questions are both answered no, whatever the gate says", async () => {
    held = []
    const { asked, agent } = await relay.agentSays(plain, question({ command: "rm" }))
    expect(asked).toHaveLength(1)
    expect(agent).toMatchObject([
      { id: 5, result: chosen("no") },
      { id: 5, result: chosen("no") },
    ])
  })

  it("I4: an open request of the client's and a question are both refused, and the client's answer is left out", async () => {
    const { asked, agent } = await relay.agentSays(reads(5), plain)
    expect(asked).toEqual([])
    expect(agent).toMatchObject([{ id: 5, result: chosen("no") }, invalid(5)])
    expect((await relay.clientWrites(answer(5))).agent).toEqual([])
  })

  it("I4: a question and a request of the client's are both refused", async () => {
    held = []
    const { client, agent } = await relay.agentSays(plain, reads(5))
    expect(client).toEqual([])
    expect(agent).toMatchObject([invalid(5), { id: 5, result: chosen("no") }])
    expect((await relay.clientWrites(answer(5))).agent).toEqual([])
  })

  it.each([
    ["question", plain, { id: 5, result: chosen("no") }],
    ["request of the client's", reads(5), invalid(5)],
  ])("I4: an open %s is refused when a batch has its id", async (_, first, second) => {
    held = []
    await relay.agentSays(first)
    expect((await relay.agentWrites(text([plain]))).agent).toMatchObject([invalid(5), second])
    expect((await relay.clientWrites(answer(5))).agent).toEqual([])
  })

  it("a question that the program takes back is withdrawn, and a yes that comes later is a no", async () => {
    held = []
    await relay.agentSays(plain)
    const { agent } = await relay.agentSays({ method: "$/cancel_request", params: { requestId: 5 } })
    expect(agent).toMatchObject([{ id: 5, result: chosen("no") }])
  })

  it("an id may be used again when its request was answered, and text and numbers are different ids", async () => {
    expect((await relay.agentSays(plain, { ...plain, id: "5" })).agent).toMatchObject([{ id: 5 }, { id: "5" }])
    expect((await relay.agentSays(plain)).agent).toMatchObject([{ id: 5, result: chosen("yes") }])
  })

  it("more than a thousand open requests are refused", async () => {
    const many = Array.from({ length: 1_001 }, (_, at) => reads(1_000 + at))
    const { client, agent } = await relay.agentSays(...many)
    expect(client).toHaveLength(1_000)
    expect(agent).toMatchObject([invalid(2_000)])
    await relay.clientWrites(...many.map(({ id }) => answer(id)))
  })
})
