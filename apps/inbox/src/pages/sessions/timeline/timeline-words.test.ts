import type { CallView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { isOver } from "../session-over.ts"
import { answerSentence, readShow, sentenceOf, timelineTone } from "./timeline-words.ts"

const call = (part: Partial<CallView>): CallView =>
  ({ answer: null, decidedBy: null, decidedAfterMs: null, ...part }) as CallView

const said = (part: Partial<CallView>): string | null =>
  answerSentence(call(part))
    ?.map((piece) => (typeof piece === "string" ? piece : piece.their))
    .join("") ?? null

describe("how a call was answered", () => {
  it.each<{ part: Partial<CallView>; words: string | null }>([
    { part: { outcome: "succeeded" }, words: null },
    { part: { answer: "none", outcome: "waiting" }, words: "Waiting for a decision." },
    { part: { answer: "none", outcome: "expired" }, words: "Nobody decided in time." },
    { part: { answer: "none", outcome: "cancelled" }, words: "Withdrawn before anybody decided." },
    {
      part: { answer: "denied", outcome: "denied", decidedBy: "ana", decidedAfterMs: 4_000 },
      words: "ana denied it after 4 s.",
    },
    { part: { answer: "denied", outcome: "denied" }, words: "A newer rule denied it." },
    { part: { answer: "approved", outcome: "failed", decidedBy: "ana" }, words: "ana allowed it." },
    {
      part: { answer: "approved", outcome: "waiting", decidedBy: "ana" },
      words: "ana allowed it. It runs when the agent makes the call again.",
    },
    {
      part: { answer: "approved", outcome: "denied", decidedBy: "ana" },
      words: "ana allowed it. A newer rule denied it before it ran.",
    },
    { part: { answer: "approved", outcome: "succeeded" }, words: "A permission given meanwhile allowed it." },
  ])("$words", ({ part, words }) => {
    expect(said(part)).toBe(words)
  })
})

describe("the time line", () => {
  it("ends what policy says with a full stop, once", () => {
    expect(["rule 1 says so", "Done by hand."].map(sentenceOf)).toEqual(["Rule 1 says so.", "Done by hand."])
  })

  it("is quiet about calls that ran as usual, and not about others", () => {
    expect(timelineTone(call({ outcome: "succeeded", effect: "allow" }))).toBe("plain")
    expect(timelineTone(call({ outcome: "succeeded", effect: "ask" }))).toBe("yes")
    expect(timelineTone(call({ outcome: "failed", effect: "allow" }))).toBe("no")
    expect(timelineTone(call({ outcome: "waiting", effect: "ask" }))).toBe("wait")
  })

  it("shows all calls unless its address says otherwise", () => {
    expect(["failed", "toString", 7, undefined].map(readShow)).toEqual(["failed", "all", "all", "all"])
  })
})

describe("a session is over", () => {
  it.each([
    { name: "once it has ended", of: { endedAt: 5, lastSeenAt: 4, waiting: 0 }, over: true },
    { name: "not while it goes on", of: { endedAt: null, lastSeenAt: 4, waiting: 0 }, over: false },
    { name: "not when its agent called again", of: { endedAt: 5, lastSeenAt: 6, waiting: 0 }, over: false },
    { name: "not while something of it waits", of: { endedAt: 5, lastSeenAt: 4, waiting: 1 }, over: false },
  ])("$name", ({ of, over }) => {
    expect(isOver(of)).toBe(over)
  })
})
