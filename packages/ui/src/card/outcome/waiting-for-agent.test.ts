import type { ApprovalView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { waitingCall } from "../../verdict/fixtures/waiting-call.ts"
import type { CardActions } from "../../verdict/verdict.ts"
import { RunAgain } from "./outcome.tsx"
import { WaitingForAgent } from "./waiting-for-agent.tsx"

const nothing = () => {}
const actions: CardActions = {
  onVerdict: nothing,
  onTakeBack: nothing,
  onExtend: nothing,
  onRevoke: nothing,
  onRunNow: nothing,
  onRerun: nothing,
  loadUndo: async () => ({ kind: "unavailable", why: "" }),
  onPutBack: async () => false,
  onAccept: nothing,
}

function permit(changes: object = {}): ApprovalView {
  const approved = { status: "approved", at: 1, by: "ada", grant: null, expiresAt: 9, callerWaits: false }
  return { ...waitingCall(), ...approved, ...changes } as ApprovalView
}

const drawn = (approval: ApprovalView, more: Partial<CardActions> = {}, unseen: string | null = null) =>
  renderToStaticMarkup(createElement(WaitingForAgent, { approval, actions: { ...actions, ...more }, unseen }))

describe("an approved call whose agent has stopped waiting", () => {
  it("can be run now where its server is reachable", () => {
    const html = drawn(permit({ runNowOffer: { why: null } }))
    expect(html).toContain("Run it now")
    expect(html).toContain("it runs once, and its result is kept for the agent")
    expect(drawn(permit({ runNowOffer: { why: null } }), { busyWith: "run-now" })).toContain("Running…")
  })

  it("says why it cannot be, and offers no button", () => {
    const html = drawn(permit({ runNowOffer: { why: "files is stopped." } }))
    expect(html).not.toContain("Run it now")
    expect(html).toContain("It cannot be run from here.")
    expect(html).toContain("files is stopped.")
  })

  it.each([
    { name: "run now", Part: WaitingForAgent, approval: permit({ runNowOffer: { why: null } }) },
    { name: "run again", Part: RunAgain, approval: permit({ status: "unknown", approvedBy: "ada", detail: "" }) },
  ])("is not $name before what is masked was revealed", ({ Part, approval }) => {
    const buttonIn = (unseen: string | null) =>
      /<button[^>]*>(?:(?!<button).)*Run (?:it now|again)/.exec(
        renderToStaticMarkup(createElement(Part, { approval, actions, unseen })),
      )?.[0]
    expect(buttonIn("1 value is hidden.")).toMatch(/disabled/)
    expect(buttonIn(null)).not.toMatch(/disabled/)
  })

  it("is nothing while the agent waits", () => {
    expect(drawn(permit({ callerWaits: true }))).toBe("")
  })

  it("is nothing where an agent run takes it up by itself", () => {
    expect(drawn(permit({ run: { id: "r1", toolCall: "c1" }, expiresAt: null }))).toBe("")
  })
})
