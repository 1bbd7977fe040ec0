import { createElement } from "react"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ApprovalCard } from "../card/approval-card.tsx"
import { type DrawnPage, drawPage } from "../card/fixtures/drawn-page.ts"
import { waitingCall } from "./fixtures/waiting-call.ts"
import type { CardActions, GivenVerdict } from "./verdict.ts"

beforeEach(() => {
  vi.useFakeTimers()
  // Menus look for the page's main part, and keys are heard on the page.
  vi.stubGlobal("document", Object.assign(new EventTarget(), { querySelector: () => null }))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function cardOf(
  approval = waitingCall(),
  isFresh = false,
): { readonly page: DrawnPage; readonly given: GivenVerdict[] } {
  const given: GivenVerdict[] = []
  const actions = { onVerdict: (_: unknown, verdict: GivenVerdict) => given.push(verdict) } as unknown as CardActions
  const none = { server: null, session: null, pin: null, current: null, alsoWaiting: [] }
  const props = { ...none, approval, actions, isFresh, verdict: { state: "none" }, hasKeys: false } as const
  return { page: drawPage(createElement(ApprovalCard, { ...props, offersAutoApprove: true })), given }
}

/** Time enough for a card that has just appeared. */
function wait(page: DrawnPage): void {
  vi.advanceTimersByTime(1_000)
  page.settle()
}

const tick = "Auto-approve all tools of files in this thread"

function autoApprove(page: DrawnPage) {
  page.find("label", tick)[0]?.click()
  const [button] = page.find("button", "Allow and auto-approve")
  if (button === undefined) throw new Error("It is not offered.")
  return button
}

describe("Allow and auto-approve", () => {
  it("allows the call and its server for the session, once the card has settled", () => {
    const { page, given } = cardOf()
    wait(page)
    const button = autoApprove(page)
    expect(button.isDisabled).toBe(false)
    button.click()
    const breadth = { kind: "server", server: "files", access: "all" }
    expect(given).toEqual([{ kind: "approve", remember: { scope: "session", breadth } }])
    page.close()
  })

  it.each([
    { name: "a value is masked", approval: waitingCall({ args: { path: "a", token: "sk-0123456789abcdefghij" } }) },
    { name: "the card has only just appeared", isFresh: true },
    { name: "the card has not settled", early: true },
  ])("I1: is held back as Allow once is while $name, and says no yes even when pressed", (row) => {
    const { page, given } = cardOf(row.approval, row.isFresh)
    if (row.early !== true) wait(page)
    const [once] = page.find("button", "Allow once")
    const button = autoApprove(page)
    expect([once?.isDisabled, button.isDisabled]).toEqual([true, true])
    once?.click()
    button.click()
    expect(given).toEqual([])
    page.close()
  })

  it("I1: can be given after the masked value was revealed", () => {
    const { page, given } = cardOf(waitingCall({ args: { path: "a", token: "sk-0123456789abcdefghij" } }))
    wait(page)
    for (const reveal of page.find("button", "Reveal")) reveal.click()
    autoApprove(page).click()
    expect(given).toHaveLength(1)
    page.close()
  })

  it.each([
    { name: "the policy asks every time", approval: waitingCall({ remember: "never" }) },
    {
      name: "several people must allow it",
      approval: waitingCall({ needs: { approvals: 2, groups: [], selfApproval: false } }),
    },
    { name: "its tool has changed", approval: waitingCall({ pin: "changed" }) },
  ])("is not offered for a call that is answered only once: $name", ({ approval }) => {
    const { page } = cardOf(approval)
    wait(page)
    expect(page.find("label", tick)).toEqual([])
    page.close()
  })
})
