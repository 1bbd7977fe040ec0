import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { listedCall } from "../../verdict/fixtures/waiting-call.ts"
import { ApprovalRow, type RowAnswer } from "./approval-row.tsx"

const approval = listedCall()
const textOf = (answering: RowAnswer | null) =>
  renderToStaticMarkup(
    createElement(ApprovalRow, { approval, session: null, isOpen: false, onOpen: () => {}, answering }),
  )
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")

it("says what was decided while that can be taken back, and offers Undo", () => {
  expect(textOf({ kind: "approve", onUndo: () => {} })).toMatch(
    /Allowing….*Undo your decision on files ?\(write_file\)/,
  )
  expect(textOf({ kind: "deny", onUndo: () => {} })).toMatch(/Denying….*Undo/)
})

it("offers no Undo once the decision is on its way, and says nothing without one", () => {
  expect(textOf({ kind: "approve", onUndo: null })).toMatch(/Allowing…(?!.*Undo)/)
  expect(textOf(null)).not.toMatch(/Allowing|Undo/)
})
