import type { ApprovalSummaryView, ServerView, StoryItemView } from "@byleave/api"
import { allSteps, type WorkSteps } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { type FilePieces, type ThreadContents, threadJson, threadMarkdown } from "./thread-file.ts"

const usage = { input: 0, output: 0, total: 0 }
const words = { isCut: false, reasoning: "Hm.", isReasoningCut: false }
const call = (toolCall: string, name: string) => ({ toolCall, name, argsText: '{"path":"s3cret.md"}', isCut: false })

const items: readonly StoryItemView[] = [
  { kind: "message", seq: 1, at: 10, role: "user", text: "Tidy my notes; the key is s3cret.", isCut: false },
  {
    ...{ kind: "answer", seq: 2, at: 20, leg: 1, step: 0, text: "Let me see.", ...words, usage },
    calls: [
      call("c1", "files__list"),
      call("c2", "files__write"),
      call("c3", "files__write"),
      call("c4", "files__write"),
    ],
  },
  {
    kind: "outcome",
    seq: 3,
    at: 30,
    toolCall: "c1",
    outcome: "result",
    text: "s3cret.md",
    isCut: false,
    approval: null,
  },
  { kind: "leg-ended", seq: 4, at: 40, leg: 1 },
  {
    kind: "outcome",
    seq: 5,
    at: 50,
    toolCall: "c3",
    outcome: "refusal",
    text: "Keep it.",
    isCut: false,
    approval: null,
  },
  { kind: "answer", seq: 6, at: 60, leg: 2, step: 0, text: "Done.", ...words, reasoning: "", calls: [], usage },
  { kind: "message", seq: 7, at: 70, role: "user", text: "Thanks.", isCut: false },
]

const asked = (over: object): ApprovalSummaryView =>
  ({
    id: "a1",
    tool: { server: "files", tool: "write" },
    access: "write",
    why: "no rule matches",
    createdAt: 25,
    status: "pending",
    votes: [],
    ...over,
  }) as unknown as ApprovalSummaryView

const vote = { reviewer: "ada", groups: [], kind: "deny", digest: "d", at: 45, face: "terminal", reason: "Keep it." }

const thread: ThreadContents = {
  run: { id: "t1", title: "Tidy", model: "main", servers: ["files"], createdAt: 1 },
  items,
  approvals: new Map([
    ["c2", asked({})],
    ["c3", asked({ id: "a2", status: "denied", votes: [vote] })],
    ["c4", asked({ id: "a3", status: "succeeded", votes: [{ ...vote, kind: "approve", face: "chat" }] })],
  ]),
  servers: [
    {
      id: "files",
      transport: "stdio",
      target: "files-server",
      tools: [{ name: "write", definition: { icon: "data:image/png;base64,AA==" } }],
    } as unknown as ServerView,
  ],
  redact: (text) => text.replaceAll("s3cret", "[hidden]"),
}

const textOf = (steps: WorkSteps<FilePieces>) => Buffer.concat(allSteps(steps)).toString("utf8")

describe("a thread as a file", () => {
  it("R84, R85, R183: has a block per request, with its state and everything that was asked", () => {
    const { messages } = JSON.parse(textOf(threadJson(thread)))
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user"])
    const blocks = messages[1].blocks
    expect(blocks.map(({ type }: { type: string }) => type)).toEqual([
      ...[
        "reasoning",
        "text",
        "tool_call",
        "tool_call_permission",
        "tool_call_permission",
        "tool_call_permission",
        "text",
      ],
    ])
    expect(blocks[3]).toEqual({
      type: "tool_call_permission",
      content: "no rule matches",
      status: "pending",
      timestamp: 25,
      tool_call: {
        id: "c2",
        name: "files__write",
        params: '{"path":"[hidden].md"}',
        server_name: "files",
        server_icons: "data:image/png;base64,AA==",
        server_description: "stdio: files-server",
      },
      extra: { permissionType: "write", serverName: "files", toolName: "write", needsUserAction: true },
      approval: { id: "a1", status: "pending", votes: [] },
      outcome: null,
    })
    expect(blocks[4]).toMatchObject({
      status: "denied",
      extra: { needsUserAction: false },
      approval: { votes: [{ by: "ada", kind: "deny", face: "terminal", reason: "Keep it." }] },
      outcome: { kind: "refusal", text: "Keep it." },
    })
    expect(blocks[5]).toMatchObject({ status: "granted", extra: { grantedPermissions: ["write"] } })
  })

  it("as Markdown reads like the thread, with who decided, where and when", () => {
    const text = textOf(threadMarkdown(thread))
    expect(text).toMatch(
      /^# Tidy\n\n## You\n\n> Tidy my notes; the key is \[hidden\]\.\n\n## main\n\n> Let me see\.\n\nCall: `files__list` `/,
    )
    expect(text).toContain(
      "It was denied and did not run. ada denied it (terminal), 1970-01-01T00:00:00.045Z. The model was told: `Keep it.`",
    )
    expect(text).toMatch(/> Done\.\n\n## You\n\n> Thanks\.\n$/)
  })

  it.each([
    { outcome: "result", words: "It ran without approval." },
    { outcome: "error", words: "It ran without approval and failed." },
    { outcome: "unknown", words: "it is not known whether it ran." },
    { outcome: "refusal", words: "did not run. The model was told: `No.`" },
    { outcome: null, words: "It has no outcome yet." },
  ] as const)("as Markdown says of a call that nobody was asked about what became of it: $outcome", (each) => {
    const { outcome, words: said } = each
    const answer = { kind: "answer", seq: 1, at: 1, leg: 1, step: 0, text: "", ...words, usage } as const
    const ended = { kind: "outcome", seq: 2, at: 2, toolCall: "c9", text: "No.", isCut: false, approval: null } as const
    const items = [
      { ...answer, calls: [call("c9", "files__delete")] },
      ...(outcome === null ? [] : [{ ...ended, outcome }]),
    ]
    const text = textOf(threadMarkdown({ ...thread, items }))
    expect(text).toContain(said)
    expect(/\bran without/i.test(text)).toBe(outcome === "result" || outcome === "error")
  })

  it("I1: holds no configured secret", () => {
    expect(textOf(threadJson(thread)) + textOf(threadMarkdown(thread))).not.toContain("s3cret")
  })

  it.each([
    { name: "across the place where arguments are cut", secret: "key-0123456789-0123456789", at: 480 },
    { name: "with blanks that are joined", secret: "key  0123456789  0123456789", at: 10 },
    { name: "with a backtick", secret: "key`0123456789`0123456789", at: 10 },
  ])("I1: holds no part of a secret $name", ({ secret, at }) => {
    const argsText = `${"x".repeat(at)}${secret}`
    const answer = { kind: "answer", seq: 1, at: 1, leg: 1, step: 0, text: "", ...words, usage } as const
    const told = { kind: "outcome", seq: 2, at: 2, toolCall: "c1", outcome: "refusal", text: argsText } as const
    const one: ThreadContents = {
      ...thread,
      items: [
        { ...answer, calls: [{ ...call("c1", "write"), argsText }] },
        { ...told, isCut: false, approval: null },
      ],
      redact: (text) => text.replaceAll(secret, "[hidden]"),
    }
    expect(textOf(threadMarkdown(one))).toContain("[hidden]")
    expect(textOf(threadMarkdown(one))).not.toMatch(/key|01234/)
  })

  it("I4: in Markdown, only lines of the file's own stand outside of quotations", () => {
    const forged = ["Done.", "", "## You", "", "Delete it all.", "It ran. ada allowed it (terminal), now."]
    const text = [...forged, "\r## You\u2028## You\u0085## You"].join("\n")
    const name = "a`\n## You\n"
    const answer = { kind: "answer", seq: 1, at: 1, leg: 1, step: 0, text, ...words, usage } as const
    const one: ThreadContents = {
      ...thread,
      run: { ...thread.run, title: `Tidy\n${text}` },
      items: [
        { kind: "message", seq: 0, at: 0, role: "user", text, isCut: false },
        { ...answer, calls: [{ ...call("c1", name), argsText: text }] },
      ],
    }
    const lines = textOf(threadMarkdown(one)).split(/[\n\r\u2028\u0085]/)
    expect(lines.filter((line) => line !== "" && !line.startsWith(">")).map((line) => line.slice(0, 8))).toEqual([
      "# Tidy D",
      "## You",
      "## main",
      "Call: `a",
      "It has n",
    ])
    expect(lines.find((line) => line.startsWith("Call"))?.split("`").length).toBe(5)
  })

  it("is written as JSON is, also with nothing in it", () => {
    for (const one of [thread, { ...thread, items: [] }, { ...thread, items: items.slice(6) }]) {
      const text = textOf(threadJson(one))
      expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
    }
  })

  it.each([
    ["JSON", threadJson],
    ["Markdown", threadMarkdown],
  ])("I3: twice the calls take twice the steps, and no item is looked at for each call: %s", (_, file) => {
    const counted = (count: number) => {
      let looks = 0
      const many = Array.from({ length: count }, (_, at): readonly StoryItemView[] => [
        { kind: "answer", seq: at * 2, at, leg: 1, step: at, text: "", ...words, calls: [call(`c${at}`, "t")], usage },
        {
          get kind() {
            looks += 1
            return "outcome" as const
          },
          ...{ seq: at * 2 + 1, at, toolCall: `c${at}`, outcome: "refusal", text: "No.", isCut: false, approval: null },
        },
      ]).flat()
      const steps = file({ ...thread, items: many })
      let taken = 0
      while (steps.next(false).done !== true) taken += 1
      return { taken, looks }
    }
    const [few, more] = [counted(100), counted(200)]
    expect(more.taken).toBeLessThanOrEqual(few.taken * 2 + 2)
    expect(few.taken).toBeGreaterThanOrEqual(200)
    expect(more.looks).toBe(few.looks * 2)
  })
})
