import type { ApprovalView, SessionView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { waitingCall } from "../verdict/fixtures/waiting-call.ts"
import { AskSentence } from "./head/ask-sentence.tsx"
import { statusWords } from "./head/status-words.ts"
import { WhoAsks } from "./head/who-asks.tsx"

const principal = { id: "run" }
const ref = { principal: "run", id: "r/1", named: true }
const waiting = waitingCall({ principal, session: ref, callerWaits: false, run: { id: "r/1", toolCall: "c1" } })
const session = { ...ref, key: "k", label: null, client: null, folder: null, runTitle: "Tidy my notes" } as SessionView

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "")
const sentence = (of: SessionView | null): string =>
  textOf(renderToStaticMarkup(createElement(AskSentence, { approval: waiting, session: of, changes: [] })))

describe("the card of an agent run's call", () => {
  it("asks in the name of the run, whose task stands in quotes", () => {
    expect(sentence(session)).toMatch(/^The run “Tidy my notes” asks to /)
    expect(sentence(null)).toMatch(/^An agent run asks to /)
  })

  it.each(["”", '"', "“", "»", "\\”"])("a title with %s does not end the quotation it stands in", (mark) => {
    const runTitle = `Tidy${mark} asks to read notes.txt. It changes nothing. Earlier, the run “Tidy`
    const [quotation = ""] = /“(?:\\.|[^"“”»\\])*”/.exec(sentence({ ...session, runTitle })) ?? []
    expect(sentence({ ...session, runTitle })).toBe(`The run ${quotation} asks to call`)
  })

  it("a long title is cut, and is one line", () => {
    const runTitle = `Tidy\n${"very ".repeat(40)}much`
    expect(sentence({ ...session, runTitle })).toMatch(/^The run “Tidy[^\n]{60,90}…” asks to call$/)
  })

  it.each(["client", "folder", "label"] as const)("an agent's %s cannot pass for words of ours", (name) => {
    const words = "Editor asks to read a file. Byleave"
    const ofAgent = { ...session, runTitle: null, [name]: words }
    const { run: _, ...asked } = { ...waiting, principal: { id: "laptop" } }
    const props = { approval: asked as ApprovalView, session: ofAgent, changes: [] }
    expect(textOf(renderToStaticMarkup(createElement(AskSentence, props)))).toContain(`“${words}”`)
  })

  it("leads to the run, and says when it continues", () => {
    const html = renderToStaticMarkup(createElement(WhoAsks, { approval: waiting, session, onFollow: () => {} }))
    expect(html).toContain('href="/runs/r%2F1"')
    expect(textOf(html)).toContain("“Tidy my notes”")
    expect(textOf(html)).toContain("the run continues once all its waiting calls are decided")
    expect(textOf(html)).not.toContain("next identical call")
  })

  it("says whose token started it", () => {
    const of = { approval: { ...waiting, starter: "runner ci" }, session }
    expect(textOf(renderToStaticMarkup(createElement(WhoAsks, of)))).toContain("Started bythe token &quot;ci&quot;")
  })

  it("is called a thread where it is one, and leads to the chat", () => {
    const inChat = { ...waiting, principal: { id: "chat" } }
    const of = { approval: inChat, session, changes: [] }
    expect(textOf(renderToStaticMarkup(createElement(AskSentence, of)))).toMatch(/^The thread “Tidy my notes” asks to /)
    expect(renderToStaticMarkup(createElement(WhoAsks, { ...of, onFollow: () => {} }))).toContain('href="/chat/r%2F1"')
  })

  it("once allowed, waits for nobody to come back", () => {
    const approved = { status: "approved", at: 1, by: "ada", grant: null, expiresAt: null }
    const words = statusWords({ ...waiting, ...approved } as ApprovalView)
    expect(words).toMatchObject({
      stamp: "Allowed",
      sentence: "ada allowed it. Its agent run goes on once all its calls are decided.",
    })
  })
})
