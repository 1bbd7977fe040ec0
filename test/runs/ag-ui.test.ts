import { type AgentSubscriber, type BaseEvent, buildResumeArray, HttpAgent } from "@ag-ui/client"
import { answerAgUi } from "@byleave/runs"
import { afterEach, describe, expect, it } from "vitest"
import { policyOf, rule } from "../engine/open-engine.ts"
import { type Front, openFront } from "./open-front.ts"
import { answer } from "./open-runs.ts"

const steps = [
  {
    say: "I will tidy up.",
    calls: [
      { tool: "files(read)", args: { path: "a" } },
      { tool: "files(delete)", args: { path: "b" } },
      { tool: "files(write)", args: { path: "c" } },
      { tool: "files(move)", args: { path: "d" } },
    ],
  },
  { say: "Done." },
]

let front: Front
afterEach(() => front.close())

type Client = { readonly agent: HttpAgent; readonly events: BaseEvent[]; readonly typesOf: () => readonly string[] }

function openClient(text: string | null = "tidy my notes", threadId?: string): Client {
  const agent = new HttpAgent({ url: `${front.url}/ag-ui`, ...(threadId === undefined ? {} : { threadId }) })
  if (text !== null) agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text })
  const events: BaseEvent[] = []
  const listener: AgentSubscriber = { onEvent: ({ event }) => void events.push(event) }
  agent.subscribe(listener)
  return { agent, events, typesOf: () => events.map(({ type }) => type) }
}
const failureOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return "none"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
const resultsOf = ({ agent }: Client) =>
  Object.fromEntries(agent.messages.flatMap((each) => (each.role === "tool" ? [[each.toolCallId, each.content]] : [])))
const saidBy = ({ agent }: Client) =>
  agent.messages.flatMap(({ role, content }) => (role === "assistant" && content !== undefined ? [content] : []))
const yes = { status: "resolved", payload: { approved: true } } as const
const no = { status: "resolved", payload: { approved: false, reason: "Not that one." } } as const

describe("a run in AG-UI's client", () => {
  it("streams text and calls, and ends with an interrupt for each call that waits", async () => {
    front = await openFront(steps)
    const client = openClient()
    await client.agent.runAgent()
    expect(saidBy(client)).toEqual(["I will tidy up."])
    expect(client.typesOf()[0]).toBe("RUN_STARTED")
    expect(client.typesOf().at(-1)).toBe("RUN_FINISHED")
    const assistant = client.agent.messages.find(({ role }) => role === "assistant")
    if (assistant?.role !== "assistant") throw new Error("Nobody spoke.")
    expect(assistant.toolCalls?.map((call) => call.function)).toEqual([
      { name: "files__read", arguments: '{"path":"a"}' },
      { name: "files__delete", arguments: '{"path":"b"}' },
      { name: "files__write", arguments: '{"path":"c"}' },
      { name: "files__move", arguments: '{"path":"d"}' },
    ])
    expect(Object.values(resultsOf(client))).toEqual([
      expect.stringContaining("Nothing is deleted here."),
      "read is done",
    ])
    const { pendingInterrupts } = client.agent
    const [listed] = await front.gate.runs({ limit: 1 })
    const run = await front.gate.run(listed?.id ?? "")
    if (run?.status !== "paused") throw new Error(run?.status)
    expect(pendingInterrupts).toEqual(
      run.requirements.map(({ approval, toolCall, tool }) => ({
        id: approval,
        reason: "tool_call",
        message: expect.stringContaining(tool.tool),
        toolCallId: toolCall,
        responseSchema: {
          type: "object",
          properties: { approved: { type: "boolean" }, reason: { type: "string" } },
          required: ["approved"],
        },
        metadata: tool,
      })),
    )
  })

  it("goes on with a resume that answers all: a yes runs, a no is told with its reason", async () => {
    front = await openFront(steps)
    const client = openClient()
    await client.agent.runAgent()
    const [write, move] = client.agent.pendingInterrupts
    client.events.length = 0
    const resume = buildResumeArray(client.agent.pendingInterrupts, { [write?.id ?? ""]: no, [move?.id ?? ""]: yes })
    await client.agent.runAgent({ resume })
    expect(client.agent.pendingInterrupts).toEqual([])
    expect(saidBy(client)).toEqual(["I will tidy up.", "Done."])
    expect(resultsOf(client)[write?.toolCallId ?? ""]).toBe("Not that one.")
    expect(resultsOf(client)[move?.toolCallId ?? ""]).toBe("move is done")
    expect(client.typesOf()).not.toContain("TOOL_CALL_START")
    expect(client.events.at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } })
    expect(front.tools.dispatched.map(({ tool }) => tool)).toEqual(["read", "move"])
  })

  it("refuses a partial resume, naming what is missing, and new words while a call waits", async () => {
    front = await openFront(steps)
    const client = openClient()
    await client.agent.runAgent()
    const [write, move] = client.agent.pendingInterrupts
    const entry = { interruptId: write?.id ?? "", ...yes }
    expect(await failureOf(client.agent.runAgent({ resume: [entry] }))).toContain(move?.id)
    // A client that forgot what is open.
    client.agent.pendingInterrupts = []
    await failureOf(client.agent.runAgent({ resume: [entry] }))
    expect(client.events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "run-waits",
      message: expect.stringContaining(`${move?.id} (files(move))`),
    })
    client.agent.addMessage({ id: "words", role: "user", content: "hurry up" })
    await failureOf(client.agent.runAgent())
    expect(client.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "run-waits" })
    const [listed] = await front.gate.runs({ limit: 9 })
    const run = await front.gate.run(listed?.id ?? "")
    expect(run?.status).toBe("paused")
    expect(await front.runs.waitsFor(run as never)).toHaveLength(2)
    expect(front.tools.dispatched).toHaveLength(1)
  })

  it("keeps what reviewers answered elsewhere, and tells a page that answers late what it missed", async () => {
    front = await openFront(steps)
    const client = openClient()
    await client.agent.runAgent()
    const [write, move] = client.agent.pendingInterrupts
    await answer(front, write?.id ?? null, "deny", { reason: "Keep it." })
    await answer(front, move?.id ?? null, "approve", { args: { path: "elsewhere" } })
    const [run] = await front.gate.runs({ limit: 1 })
    await expect.poll(async () => (await front.runs.get(run?.id ?? ""))?.status).toBe("finished")
    const answers = { [write?.id ?? ""]: yes, [move?.id ?? ""]: no }
    await client.agent.runAgent({ resume: buildResumeArray(client.agent.pendingInterrupts, answers) })
    expect(saidBy(client)).toEqual(["I will tidy up.", "Done."])
    expect(resultsOf(client)[write?.toolCallId ?? ""]).toBe("Keep it.")
    expect(front.tools.dispatched.slice(1)).toEqual([{ tool: "move", args: { path: "elsewhere" } }])
  })

  it("a yes that does not count is held until a reviewer has decided; dismissing counts as a no", async () => {
    front = await openFront(steps, { conveys: false })
    const client = openClient()
    await client.agent.runAgent()
    const [write, move] = client.agent.pendingInterrupts
    const answers = { [write?.id ?? ""]: yes, [move?.id ?? ""]: { status: "cancelled" as const } }
    const resumed = client.agent.runAgent({ resume: buildResumeArray(client.agent.pendingInterrupts, answers) })
    await expect.poll(() => client.events.at(-1)).toMatchObject({ type: "CUSTOM", name: "byleave.waiting" })
    expect(front.tools.dispatched).toHaveLength(1)
    await answer(front, write?.id ?? null, "approve")
    await resumed
    expect(saidBy(client)).toEqual(["I will tidy up.", "Done."])
    expect(resultsOf(client)[move?.toolCallId ?? ""]).toBe("The request was dismissed.")
    expect(front.tools.dispatched.map(({ tool }) => tool)).toEqual(["read", "write"])
  })

  it("pauses again, and a thread goes on with the next message in the same run", async () => {
    front = await openFront([
      { calls: [{ tool: "files(write)", args: { path: "a" } }] },
      { calls: [{ tool: "files(move)", args: { path: "b" } }] },
      { say: "Done." },
      { say: "You are welcome." },
    ])
    const client = openClient()
    await client.agent.runAgent()
    for (const tool of ["write", "move"]) {
      const [open] = client.agent.pendingInterrupts
      expect(open?.metadata).toMatchObject({ tool })
      await client.agent.runAgent({
        resume: buildResumeArray(client.agent.pendingInterrupts, { [open?.id ?? ""]: yes }),
      })
    }
    client.agent.addMessage({ id: "thanks", role: "user", content: "thanks" })
    await client.agent.runAgent()
    expect(saidBy(client)).toEqual(["Done.", "You are welcome."])
    expect(await front.gate.runs({ limit: 9 })).toHaveLength(1)
    expect(front.tools.dispatched.map(({ tool }) => tool)).toEqual(["write", "move"])
  })

  it("a page that knows only the run's id is told what waits", async () => {
    front = await openFront(steps)
    await openClient().agent.runAgent()
    const [run] = await front.gate.runs({ limit: 1 })
    const other = openClient(null, run?.id ?? "")
    await other.agent.runAgent()
    expect(other.agent.pendingInterrupts).toHaveLength(2)
  })

  it("says until when an approval can be answered", async () => {
    front = await openFront(steps, {
      policy: policyOf([
        rule("allow", "files(read)"),
        rule("deny", "files(delete)"),
        rule("ask", "files(write)", { wait: 60_000 }),
      ]),
    })
    const client = openClient()
    await client.agent.runAgent()
    const until = client.agent.pendingInterrupts.map(({ metadata, expiresAt }) => [metadata?.tool, expiresAt])
    expect(until).toEqual([
      ["write", new Date(front.clock.now + 60_000).toISOString()],
      ["move", undefined],
    ])
  })

  it("tells a failure as RUN_ERROR", async () => {
    front = await openFront([], {
      openModel: async () => {
        throw new Error("The model main has no key.")
      },
    })
    const client = openClient()
    await failureOf(client.agent.runAgent())
    expect(client.events.at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "run-failed-retryable",
      message: expect.stringContaining("no key"),
    })
  })

  it.each([
    { name: "no JSON", body: "{" },
    { name: "no thread", body: JSON.stringify({ runId: "r", messages: [] }) },
    { name: "an answer without a word", body: resumeBody({ payload: {} }) },
    { name: "two answers to one interrupt", body: resumeBody(yes, no) },
    { name: "other arguments", body: resumeBody({ payload: { approved: true, editedArgs: { path: "/" } } }) },
  ])("refuses $name", async ({ body }) => {
    front = await openFront(steps)
    const response = await fetch(`${front.url}/ag-ui`, { method: "POST", body })
    expect(response.status).toBe(400)
    expect(await front.gate.runs({ limit: 1 })).toEqual([])
  })

  it("I4: reads no call to find out which answers are to none of the run's", async () => {
    front = await openFront(steps)
    const client = openClient()
    await client.agent.runAgent()
    const [open] = client.agent.pendingInterrupts
    const read: string[] = []
    const approval = (id: string) => {
      read.push(id)
      return front.gate.approval(id)
    }
    const ports = { ...front.ports, gate: { ...front.gate, approval } }
    const strays = Array.from({ length: 50 }, (_, at) => `stray-${at}`)
    const body = resumeBody(...[open?.id, ...strays].map((interruptId) => ({ ...yes, interruptId })))
    const response = await answerAgUi(ports, new Request(front.url, { method: "POST", body }), front.caller)
    const told = await response.text()
    expect(told).toContain("unknown-interrupt")
    expect(told).toContain("stray-49")
    expect(told).not.toContain(open?.id)
    // One tells which run is meant.
    expect(read).toEqual([open?.id])
  })

  it("refuses answers to calls of another run, and files at addresses", async () => {
    front = await openFront(steps)
    const [one, two] = [openClient(), openClient()]
    await one.agent.runAgent()
    await two.agent.runAgent()
    const foreign = one.agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, ...yes }))
    two.agent.pendingInterrupts = []
    await failureOf(two.agent.runAgent({ resume: foreign }))
    expect(two.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "unknown-interrupt" })
    const three = openClient(null)
    const source = { type: "url", value: "http://169.254.169.254/", mimeType: "image/png" } as const
    three.agent.addMessage({ id: "picture", role: "user", content: [{ type: "image", source }] })
    await failureOf(three.agent.runAgent())
    expect(three.events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "invalid-input" })
    expect(front.tools.dispatched).toHaveLength(2)
  })
})

function resumeBody(...entries: readonly object[]): string {
  const resume = entries.map((entry) => ({ interruptId: "i", status: "resolved", ...entry }))
  return JSON.stringify({ threadId: "t", runId: "r", messages: [], tools: [], context: [], resume })
}
