import { describe, expect, it } from "vitest"
import { storyItems } from "../../run/fixtures/runs.ts"
import type { LiveLeg } from "../../run/live-leg.ts"
import { storyTurns } from "../../run/story-turns.ts"
import { listedCall } from "../../verdict/fixtures/waiting-call.ts"
import { largestFile, splitAttachments, withAttachments } from "../composer/attachments.ts"
import { chatMessages, newestWords } from "./chat-messages.ts"
import { segmentsOf } from "./segments.ts"

const leg2: LiveLeg = {
  leg: 2,
  steps: [{ text: "The plan is written.", reasoning: "", calls: [], usage: null }],
  outcomes: new Map(),
  attempt: null,
}
const told = chatMessages(storyTurns(storyItems(0), null))
const kinds = (messages: typeof told) => messages.map((message) => (message.kind === "user" ? "user" : "reply"))

describe("the messages of a thread", () => {
  it("I1: are one per user message, and one reply with everything up to the next", () => {
    expect(kinds(told)).toEqual(["user", "reply"])
    const [, reply] = told
    expect(reply?.kind === "reply" && reply.parts.map(({ kind }) => kind)).toEqual([
      ...["reasoning", "text", "call", "text", "call", "call", "call"],
    ])
  })

  it("R90, I1, I2: go on in the same reply after a pause", () => {
    const after = chatMessages(storyTurns(storyItems(0), leg2))
    expect(kinds(after)).toEqual(["user", "reply"])
    expect(after[1]?.key).toBe(told[1]?.key)
    const last = after[1]?.kind === "reply" ? after[1].parts.at(-1) : undefined
    expect(last).toMatchObject({ kind: "text", text: "The plan is written.", isLive: true })
  })

  it("begin another reply with another message", () => {
    const more = { kind: "message", role: "user", seq: 8, at: 1, text: "Thanks", isCut: false } as const
    expect(kinds(chatMessages(storyTurns([...storyItems(0), more], null)))).toEqual(["user", "reply", "user"])
  })

  it("are read aloud when they are complete, and only the newest", () => {
    expect(newestWords(told)).toBe("I write the plan, and empty the old notes.")
    expect(newestWords(chatMessages(storyTurns(storyItems(0), leg2)))).toBe("")
    expect(newestWords([])).toBe("")
  })

  it("R84: a call that waits is a block of its own; others stand together as lines", () => {
    const reply = told[1]?.kind === "reply" ? told[1] : null
    const approvals = new Map([["c2", listedCall({ id: "a1" })]])
    const segments = segmentsOf(reply?.parts ?? [], approvals)
    expect(segments.map(({ kind }) => kind)).toEqual([...["reasoning", "text", "calls", "text", "request", "calls"]])
    const settled = new Map([["c2", listedCall({ id: "a1", status: "denied", settledAt: 1 } as never)]])
    const after = segmentsOf(reply?.parts ?? [], settled)
    expect(after.map(({ kind }) => kind)).toEqual(["reasoning", "text", "calls", "text", "calls"])
  })
})

describe("attached files", () => {
  const files = [
    { name: "a.txt", text: "one\n```js\ntwo\n```" },
    { name: "b]\n.md", text: "" },
  ]

  it("travel in the text of a message and come out of it again", () => {
    const text = withAttachments("Look at these.", files)
    expect(splitAttachments(text)).toEqual({
      text: "Look at these.",
      files: [files[0], { name: "b__.md", text: "" }],
    })
  })

  it("leave other text alone, and what was cut off ends where the text does", () => {
    expect(splitAttachments("[Attached file: x]")).toEqual({ text: "[Attached file: x]", files: [] })
    const cut = withAttachments("Look.", [{ name: "a.txt", text: "abc" }]).slice(0, -4)
    expect(splitAttachments(cut)).toEqual({ text: "Look.", files: [{ name: "a.txt", text: "abc" }] })
    expect(largestFile).toBeLessThan(1_000_000)
  })
})
