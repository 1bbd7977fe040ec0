import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { expect, it } from "vitest"
import { waitingCall } from "../../../data/fixtures/waiting-call.ts"
import { batchAnswers, withReads } from "./batch-answers.ts"

const denied = { ...waitingCall("1"), status: "denied", version: 2 } as unknown as ApprovalSummaryView
const sent = [{ approval: waitingCall("1") }]
const answers = batchAnswers(sent, [{ ok: true, approval: denied, grant: null, also: [] }])

const read = (version: number, status: string): ApprovalView =>
  ({ ...waitingCall("1"), version, status }) as unknown as ApprovalView

const stands = (reads: readonly ApprovalView[]) => withReads(answers, reads).map(({ approval }) => approval.status)

it("says what the service answered, whatever the page had read of the call before", () => {
  expect(stands([read(1, "pending")])).toEqual(["denied"])
  expect(stands([])).toEqual(["denied"])
})

it("follows what is read after the answer", () => {
  expect(stands([read(3, "expired")])).toEqual(["expired"])
})
