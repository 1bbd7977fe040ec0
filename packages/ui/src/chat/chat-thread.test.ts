import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { runView, storyItems } from "../run/fixtures/runs.ts"
import { storyTurns } from "../run/story-turns.ts"
import { listedCall } from "../verdict/fixtures/waiting-call.ts"
import { type ChatMessage, chatMessages } from "./chat-messages.ts"
import { type ChatRequest, ChatThread } from "./chat-thread.tsx"

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
  })

  it("R147: what is settled stays in its message as one line, with who decided", () => {
    const text = textOf(draw().html)
    expect(text).toMatch(/THE CARD.*Denied.*ada denied it\. It did not run\./)
    expect(text).toMatch(/files\s*\(list_directory\).*Ran/)
  })

  it("R121: marks what ran without anybody being asked, where it is told to, and nothing else", () => {
    expect(textOf(draw().html)).not.toContain("Auto-approved")
    const text = textOf(draw(told, { marksUnasked: true }).html)
    expect(text.match(/Auto-approved/g)).toHaveLength(1)
    expect(text).toMatch(/files\s*\(list_directory\).*Auto-approved\s+Ran/)
  })

  it("draws the newest messages of a long thread", () => {
    const many = Array.from({ length: 500 }, (_, at): ChatMessage => {
      return { kind: "user", key: String(at), at, text: `message ${at}.`, isCut: false, files: [] }
    })
    const text = textOf(draw(many).html)
    expect(text).not.toContain("message 439.")
    expect(text).toContain("message 440.")
    expect(text).toContain("more earlier messages")
  })
})
