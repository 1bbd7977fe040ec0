import type { ApprovalSummaryView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { waitingCall } from "../../../data/fixtures/waiting-call.ts"
import { NotRunRows, notRun } from "./not-run-calls.tsx"

const permit = (id: string, callerWaits: boolean): ApprovalSummaryView =>
  ({
    ...waitingCall(id),
    status: "approved",
    at: 1,
    by: "ada",
    grant: null,
    expiresAt: Date.now() + 8 * 3_600_000 + 60_000,
    callerWaits,
  }) as ApprovalSummaryView

const drawn = (calls: readonly ApprovalSummaryView[], isAll = true) =>
  renderToStaticMarkup(
    createElement(NotRunRows, { calls, isAll, sessionOf: () => null, openId: null, onOpen: () => {} }),
  )

it("lists approved calls whose agents have left, and none that is about to run", () => {
  const calls = notRun([permit("1", false), permit("2", true), waitingCall("3")])
  expect(calls.map(({ id }) => id)).toEqual(["1"])
  const html = drawn(calls)
  expect(html).toContain("Approved, not run yet")
  expect(html).toContain("Open a call to run it now or revoke the approval.")
  expect(html.match(/data-approval="/g)).toHaveLength(1)
  expect(html).toMatch(/8 h( \d+ min)? left/)
  expect(html).toMatch(/<h2[^>]*>Approved, not run yet/)
  expect(html).toContain('data-quiet="true"')
  expect(html).toContain("Approved, not run<")
  expect(html).not.toContain("checkbox")
})

it("is not there without such calls, and says where there are more than it lists", () => {
  expect(drawn([])).toBe("")
  expect(drawn([permit("1", false)], false)).toContain("1+")
})
