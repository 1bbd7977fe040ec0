import type { StoryItemView } from "@byleave/api"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { LiveLeg } from "../../run/live-leg.ts"
import { storyTurns } from "../../run/story-turns.ts"
import { chatMessages } from "./chat-messages.ts"
import { sentNow, withSent } from "./sent-message.ts"
import { type ToldThread, toldThread, withLiveLeg } from "./thread-messages.ts"

const usage = { input: 0, output: 0, total: 0 }

function said(seq: number, text: string, role: "user" | "assistant" = "user"): StoryItemView {
  return { kind: "message", seq, at: seq, role, text, isCut: false }
}

function answered(seq: number, leg: number): StoryItemView {
  const words = { text: `answer ${seq}`, isCut: false, reasoning: "", isReasoningCut: false }
  const calls = [{ toolCall: `c${seq}`, name: "files__read", argsText: "{}", isCut: false }]
  return { kind: "answer", seq, at: seq, leg, step: 0, ...words, calls, usage }
}

function ended(seq: number, toolCall: string): StoryItemView {
  return { kind: "outcome", seq, at: seq, toolCall, outcome: "result", text: "done", isCut: false, approval: null }
}

/** A story of so many messages; what each reply has is drawn by lot. */
const anyStory = fc
  .array(fc.constantFrom("user", "two users", "answer", "outcome", "assistant"), { maxLength: 40 })
  .map((kinds) => {
    let leg = 1
    return kinds.flatMap((kind, at): readonly StoryItemView[] => {
      const seq = at + 1
      if (kind === "user" || kind === "two users") leg += 1
      if (kind === "two users") return [said(seq, "one"), said(seq, "two")]
      if (kind === "answer") return [answered(seq, leg)]
      if (kind === "outcome") return [ended(seq, `c${seq - 1}`)]
      return [said(seq, `message ${seq}`, kind === "assistant" ? "assistant" : "user")]
    })
  })

const liveLeg: LiveLeg = {
  leg: 999,
  steps: [{ text: "being written", reasoning: "", calls: [], usage: null }],
  outcomes: new Map(),
  attempt: null,
}

describe("a thread that grows", () => {
  it("I1: has the messages of its whole story, however it was read", () => {
    fc.assert(
      fc.property(anyStory, fc.array(fc.nat(40), { maxLength: 4 }), fc.boolean(), (items, cuts, isLive) => {
        let told: ToldThread | null = null
        for (const end of [...cuts.toSorted((a, b) => a - b), items.length])
          told = toldThread(items.slice(0, end), told)
        const live = isLive ? liveLeg : null
        expect(withLiveLeg(told ?? toldThread([], null), live)).toEqual(chatMessages(storyTurns(items, live)))
      }),
    )
  })

  it("I2: keeps the messages before the reply under way as they are", () => {
    const items = Array.from({ length: 400 }, (_, at) => (at % 2 === 0 ? said(at + 1, "go") : answered(at + 1, at)))
    const told = toldThread(items, null)
    const live = withLiveLeg(told, liveLeg)
    expect(live.slice(0, -1).every((message, at) => message === told.messages[at])).toBe(true)
    expect(live.at(-1)).not.toBe(told.messages.at(-1))
    const more = toldThread([...items, said(401, "more")], told)
    expect(more.messages.slice(0, 398).every((message, at) => message === told.messages[at])).toBe(true)
  })
})

describe("a message that is being sent", () => {
  const text = "And now?"

  it("stands at the end with the reply to it, once, whether or not the story has it yet", () => {
    fc.assert(
      fc.property(anyStory, fc.boolean(), (items, isLive) => {
        const sent = sentNow({ text, at: 1_000 }, items, null)
        const live = isLive ? liveLeg : null
        const before = withSent(toldThread(items, null), live, sent)
        const line = { ...said((items.at(-1)?.seq ?? 0) + 1, text), at: 1_000 }
        const inStory = toldThread([...items, line], null)
        expect(before).toEqual(withLiveLeg(inStory, live))
        expect(withSent(inStory, live, sent)).toEqual(before)
      }),
    )
  })

  it("leaves the words of an earlier leg where they are", () => {
    const items = [said(1, "Hello"), answered(2, 1)]
    const earlier = { ...liveLeg, leg: 1 }
    const messages = withSent(toldThread(items, null), earlier, sentNow({ text, at: 3 }, items, earlier))
    expect(messages.map(({ kind }) => kind)).toEqual(["user", "reply", "user"])
    expect(JSON.stringify(messages[1])).toContain("being written")
  })
})
