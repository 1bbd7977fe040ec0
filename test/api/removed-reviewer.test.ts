/** What is shown of a call after one of those who approved it is no reviewer any more. */
import { afterEach, expect, it } from "vitest"
import { callOf, holdCall, policyOf, rule } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { answerCall } from "./answer-call.ts"
import { must, openService } from "./open-service.ts"

const { open, closeAll } = opening(openService)
afterEach(closeAll)

it("the vote of a reviewer who was removed is shown neither with the call nor in a list", async () => {
  const service = await open({ policy: policyOf([rule("ask", "bank(pay)", { approvals: 2 })]) })
  const [ana, ben, cat] = [await service.person("ana"), await service.person("ben"), await service.person("cat")]
  const { approval } = await holdCall(service.engine, callOf("bank(pay)", { amount: 5 }))
  const voters = async () => {
    const { items } = must(await ana.client.listApprovals({ query: { status: "pending" } }))
    const one = must(await ana.client.getApproval({ params: { id: approval.id } }))
    return [one, ...items].map(({ votes }) => votes.map(({ reviewer }) => reviewer))
  }
  must(await answerCall(ben.client, approval.id, { kind: "approve" }))
  expect(await voters()).toEqual([["ben"], ["ben"]])
  must(await ana.client.removeReviewer({ params: { id: "ben" } }))
  expect(await voters()).toEqual([[], []])
  expect(must(await answerCall(cat.client, approval.id, { kind: "approve" })).approval.status).toBe("pending")
  expect(must(await answerCall(ana.client, approval.id, { kind: "approve" })).approval.status).not.toBe("pending")
})
