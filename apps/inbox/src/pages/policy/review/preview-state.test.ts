import type { PolicyPreviewView, ServiceReply } from "@byleave/api"
import { describe, expect, it } from "vitest"
import {
  idlePreview,
  nextPreview,
  type PreviewEvent,
  type PreviewState,
  previewOf,
  problemsOf,
} from "./preview-state.ts"

const preview: PolicyPreviewView = {
  problems: [{ severity: "error", message: "Unknown key.", line: 2, column: 1 }],
  ok: false,
  tightens: [],
  widens: [],
  other: [],
  tools: [],
  calls: { looked: 0, skipped: 0, different: [] },
}
const ok: ServiceReply<PolicyPreviewView> = { ok: true, value: preview }
const failed: ServiceReply<PolicyPreviewView> = {
  ok: false,
  problem: { type: "about:blank", title: "Gone", status: 503, code: "unavailable", detail: "Gone." },
}
const after = (...events: readonly PreviewEvent[]): PreviewState => events.reduce(nextPreview, idlePreview)
const type = (text: string): PreviewEvent => ({ type: "changed", text, ask: "after a pause" })
const want = (text: string): PreviewEvent => ({ type: "changed", text, ask: "at once" })
const paused: PreviewEvent = { type: "paused" }
const answer = (text: string, reply: ServiceReply<PolicyPreviewView> = ok): PreviewEvent => ({
  type: "answered",
  text,
  reply,
})

describe("looking at a text", () => {
  it("asks once its writer pauses, about the text as it is then", () => {
    expect(after(type("a"), type("ab")).state).toBe("typing")
    expect(after(type("a"), type("ab"), paused)).toMatchObject({ state: "asking", text: "ab" })
  })

  it("drops an answer to a text that has moved on", () => {
    const moved = after(type("a"), paused, type("ab"), answer("a"))
    expect(moved.state).toBe("typing")
    expect(previewOf(moved, "a")).toBeNull()
    expect(after(type("a"), paused, type("ab"), paused, answer("a")).state).toBe("asking")
  })

  it("asks at once where somebody wants to see it, and not twice", () => {
    expect(after(type("a"), want("a")).state).toBe("asking")
    const shown = after(want("a"), answer("a"))
    expect(nextPreview(shown, want("a"))).toBe(shown)
    expect(nextPreview(shown, type("a"))).toBe(shown)
  })

  it("keeps the last problems in sight while somebody types on, and shows none for the saved text", () => {
    const shown = after(want("a"), answer("a"))
    expect(problemsOf(nextPreview(shown, type("ab")))).toEqual(preview.problems)
    expect(problemsOf(nextPreview(shown, { type: "left" }))).toEqual([])
  })

  it("asks again after a failure or when the rules in force changed", () => {
    expect(after(want("a"), answer("a", failed), { type: "outdated" }).state).toBe("asking")
    expect(after(want("a"), answer("a"), { type: "outdated" }).state).toBe("asking")
    expect(after({ type: "outdated" }).state).toBe("idle")
  })

  it("is a preview of exactly one text", () => {
    const shown = after(want("a"), answer("a"))
    expect(previewOf(shown, "a")).toEqual(preview)
    expect(previewOf(shown, "b")).toBeNull()
  })
})
