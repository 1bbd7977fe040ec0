import { expect, it } from "vitest"
import { decisionsIn } from "./ui-messages.ts"

const part = (more: object) => ({ type: "dynamic-tool", toolCallId: "c", state: "approval-responded", ...more })
const said = (...parts: object[]) => ({ id: "m", role: "assistant", parts })

it.each([
  {
    name: "a yes",
    message: said(part({ approval: { id: "a", approved: true, reason: "fine" } })),
    decisions: [{ requirement_id: "a", execute: true }],
  },
  {
    name: "a no with its reason",
    message: said(part({ approval: { id: "a", approved: false, reason: "Not that one." } })),
    decisions: [{ requirement_id: "a", execute: false, rejection_reason: "Not that one." }],
  },
  {
    name: "one of two",
    message: said(
      part({ state: "approval-requested", approval: { id: "a" } }),
      part({ approval: { id: "b", approved: true } }),
    ),
    decisions: [{ requirement_id: "b", execute: true }],
  },
  {
    name: "nothing where the call has ended",
    message: said(part({ state: "output-denied", approval: { id: "a", approved: false } })),
    decisions: [],
  },
  {
    name: "nothing of what only looks like a yes",
    message: said(part({ approval: { id: "a", approved: "true" } })),
    decisions: [],
  },
  {
    name: "nothing of the user's own parts",
    message: { ...said(part({ approval: { id: "a", approved: true } })), role: "user" },
    decisions: [],
  },
  { name: "nothing where there are no parts", message: { role: "assistant" }, decisions: [] },
])("finds $name", ({ message, decisions }) => {
  expect(decisionsIn([message as never])).toEqual(decisions)
})
