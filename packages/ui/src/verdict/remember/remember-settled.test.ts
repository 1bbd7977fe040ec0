import type { ApprovalView } from "@byleave/api"
import { expect, it } from "vitest"
import { coverage } from "../batch/also-waiting.ts"
import { serverView, toolView, waitingCall } from "../fixtures/waiting-call.ts"
import { asIfWaiting, rememberSettled } from "./remember-settled.ts"
import { ruleShown } from "./remembering.ts"

const server = serverView([toolView("write_file")])
const over = (changes: object = {}) =>
  ({
    ...waitingCall(),
    ...{ status: "succeeded", startedAt: 1, settledAt: 2, approvedBy: "ada", delivered: true, result: null },
    ...changes,
  }) as unknown as ApprovalView

it("offers to allow calls like one that is over, beginning with its folder and its agent", () => {
  expect(rememberSettled(over(), server)).toEqual({ effect: "allow", scope: "agent", breadth: "folder" })
  expect(rememberSettled(over({ args: { name: "Ada" } }), server)).toMatchObject({ breadth: "tool" })
})

it("takes the call that is over for one that the permission covers", () => {
  const shown = ruleShown(
    over(),
    { effect: "allow", scope: "agent", breadth: { kind: "tool", server: "files", tool: "write_file" }, lasting: {} },
    1,
  )
  if (!shown.ok) throw new Error(shown.problem)
  expect(coverage(shown.grant, asIfWaiting(over()), new Map())).toBe("yes")
})

it.each([
  ["that still waits", waitingCall()],
  ["that the policy asks about every time", over({ remember: "never" })],
  ["whose tool changed", over({ pin: "changed" })],
  ["whose arguments are no longer stored", over({ args: null })],
  ["of Byleave itself", over({ tool: { server: "byleave", tool: "change" } })],
])("offers nothing for a call %s", (_, call) => {
  expect(rememberSettled(call, server)).toBeNull()
})
