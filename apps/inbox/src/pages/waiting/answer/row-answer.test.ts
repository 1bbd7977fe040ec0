import { expect, it } from "vitest"
import { rowAnswer } from "./row-answer.ts"

const takeBack = () => {}

it("offers Undo in the row only while the call's own decision is not sent", () => {
  expect(rowAnswer({ state: "unsent", kind: "approve", until: 1 }, null, takeBack)).toEqual({
    kind: "approve",
    onUndo: takeBack,
  })
  expect(rowAnswer({ state: "sending", kind: "deny" }, null, takeBack)).toEqual({ kind: "deny", onUndo: null })
  expect(rowAnswer({ state: "none" }, null, takeBack)).toBeNull()
  expect(rowAnswer({ state: "refused", why: "too late" }, null, takeBack)).toBeNull()
})

it("tells of a decision made for several calls, which only the bar takes back", () => {
  expect(rowAnswer({ state: "none" }, "deny", takeBack)).toEqual({ kind: "deny", onUndo: null })
})
