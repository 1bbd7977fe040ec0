import { describe, expect, it } from "vitest"
import type { EventView } from "../views/event-view.ts"
import { applyEvent, emptyInbox } from "./apply-event.ts"

const told = (seq: number, type: string, subject = "a"): EventView => ({ seq, type, subject, at: 0 })

describe("applyEvent", () => {
  it("I1: a call that was settled does not wait again because its beginning is told again", () => {
    const events = [told(1, "approval.pending"), told(2, "approval.denied"), told(1, "approval.pending")]
    const state = events.reduce(applyEvent, emptyInbox(0))
    expect(state).toMatchObject({ seq: 2, waiting: [] })
    expect(applyEvent(state, told(2, "approval.pending", "b"))).toBe(state)
  })

  it.each([
    { name: "more time", type: "approval.changed", waiting: ["a"] },
    { name: "what is no call", type: "grant.created", waiting: ["a"] },
    { name: "a yes", type: "approval.approved", waiting: [] },
    { name: "its end", type: "approval.expired", waiting: [] },
  ])("I2: a call that waits, after $name: $waiting", ({ type, waiting }) => {
    const events = [told(1, "approval.pending"), told(2, type)]
    expect(events.reduce(applyEvent, emptyInbox(0)).waiting).toEqual(waiting)
  })
})
