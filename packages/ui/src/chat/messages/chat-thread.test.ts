import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { runView, storyItems } from "../../run/fixtures/runs.ts"
import { storyTurns } from "../../run/story-turns.ts"
import { listedCall } from "../../verdict/fixtures/waiting-call.ts"
import { type CallPart, type ChatMessage, chatMessages } from "./chat-messages.ts"
import { ChatThread } from "./chat-thread.tsx"
import { answerTo, answerWords, type ChatRequest } from "./request-block.tsx"

const told = chatMessages(storyTurns(storyItems(0), null))
const denied = { status: "denied", settledAt: 1, by: "ada", refusal: { by: "reviewer" } }

function draw(
  messages: readonly ChatMessage[] = told,
  more: { marksUnasked?: boolean } = {},
): { readonly html: string; readonly asked: ChatRequest[] } {
  const asked: ChatRequest[] = []
  const html = renderToStaticMarkup(
    createElement(ChatThread, {
      run: runView(0, { id: "t1", status: "paused" }),
      messages,
      approvals: new Map([
        ["c2", listedCall({ id: "a1" })],
        ["c3", listedCall({ id: "a2", ...denied } as never)],
      ]),
      toolNames: new Map([["files__list_directory", "files(list_directory)"]]),
      renderRequest: (request) => {
        asked.push(request)
        return "THE CARD"
      },
      onFollow: () => undefined,
      ...more,
    }),
  )
  return { html, asked }
}

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")

describe("a thread", () => {
  it("R124, R125: hands each card the ids of its block, its message and its thread", () => {
    const { asked } = draw()
    expect(asked).toHaveLength(1)
    expect(asked[0]).toMatchObject({ approval: { id: "a1" }, message: told[1]?.key, thread: "t1" })
    expect(asked[0]?.block).toContain("c2")
    const answer = answerTo(asked[0] as ChatRequest, "deny")
    expect(answer).toEqual({
      approval: "a1",
      tool: listedCall().tool,
      block: asked[0]?.block,
      message: told[1]?.key,
      thread: "t1",
      kind: "deny",
    })
    expect(answerWords(answer)).toBe("You denied files(write_file).")
  })

  it("R147: what is settled stays in its message as one line, with who decided", () => {
    const text = textOf(draw().html)
    expect(text).toMatch(/THE CARD.*Denied.*ada denied it\. It did not run ·/)
    expect(text).toMatch(/files\s*\(list_directory\).*Ran/)
  })

  it("draws the first three requests whole, and others as lines to be reviewed; calls of one message can be decided together", () => {
    const calls = Array.from({ length: 5 }, (_, at) => ({ toolCall: `w${at}`, name: "files__write_file" }))
    const parts = calls.map((call): CallPart => {
      return { kind: "call", key: call.toolCall, call: { ...call, argsText: "{}", isCut: false, outcome: null } }
    })
    const asked: string[] = []
    const html = renderToStaticMarkup(
      createElement(ChatThread, {
        run: runView(0, { id: "t1", status: "paused" }),
        messages: [{ kind: "reply", key: "r", at: 1, parts }],
        approvals: new Map(calls.map(({ toolCall }) => [toolCall, listedCall({ id: `id ${toolCall}` })])),
        toolNames: new Map(),
        renderRequest: ({ nth }) => `CARD ${nth}`,
        renderTogether: (together) => {
          asked.push(...together.map(({ id }) => id))
          return "TOGETHER"
        },
        onFollow: () => undefined,
      }),
    )
    const text = textOf(html)
    expect(text).toMatch(/TOGETHER.*CARD 0.*CARD 1.*CARD 2/)
    expect(text).not.toContain("CARD 3")
    expect(html.match(/aria-label="Review files\(write_file\)"/g)).toHaveLength(2)
    expect(asked).toHaveLength(5)
  })

  it("R121: marks a call that ran without anybody being asked as auto-approved, where it is told to", () => {
    expect(textOf(draw().html)).not.toContain("Auto-approved")
    const text = textOf(draw(told, { marksUnasked: true }).html)
    expect(text.match(/Auto-approved/g)).toHaveLength(1)
    expect(text).toMatch(/files\s*\(list_directory\).*Auto-approved\s+Ran/)
  })

  it("draws the newest messages of a long thread", () => {
    const many = Array.from({ length: 500 }, (_, at): ChatMessage => {
      return { kind: "user", key: String(at), at, text: `message ${at}.`, isCut: false, files: [], pictures: [] }
    })
    const text = textOf(draw(many).html)
    expect(text).not.toContain("message 439.")
    expect(text).toContain("message 440.")
    expect(text).toContain("more earlier messages")
  })
})
