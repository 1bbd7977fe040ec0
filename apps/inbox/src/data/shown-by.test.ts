import { expect, it } from "vitest"
import { isChangedBy, isShownBy, shownBy } from "./shown-by.ts"

it("an act makes what it changed stale, and nothing else", () => {
  expect(isChangedBy(shownBy.listApprovals, "giveVerdict")).toBe(true)
  expect(isChangedBy(shownBy.listServers, "addGrant")).toBe(true)
  expect(isChangedBy(shownBy.listTokens, "giveVerdict")).toBe(false)
  expect(isChangedBy(shownBy.verifyAudit, "savePolicy")).toBe(false)
  for (const families of Object.values(shownBy)) expect(isChangedBy(families, "previewEdit")).toBe(false)
})

it("a session that somebody renamed elsewhere is read again", () => {
  expect(isShownBy(shownBy.listSessions, "session.named")).toBe(true)
})
