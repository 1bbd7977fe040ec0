import type { ApprovalView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { waitingCall } from "../verdict/fixtures/waiting-call.ts"
import { ReviewPanel } from "./review-panel.tsx"
import { readCall } from "./review-state.ts"

const nothing = () => undefined

function drawn(call: ApprovalView): string {
  const { changes, isTooLong, key } = readCall(call)
  return renderToStaticMarkup(
    createElement(ReviewPanel, {
      ...{ call, changes, isTooLong, shownAs: key, answer: null, whyNot: null, isDrawn: true, isShared: false },
      ...{ comments: new Map(), reason: "", loadCurrent: async () => null, card: null },
      ...{ onAnswer: nothing, onComments: nothing, onReason: nothing, onRevealed: nothing, onDrawn: nothing },
      onCounts: nothing,
    }),
  )
}

it("says before anything is sent that the agent stopped waiting", () => {
  expect(drawn(waitingCall({ callerWaits: false }))).toContain("The agent is not waiting")
  expect(drawn(waitingCall())).not.toContain("The agent is not waiting")
})

it("says of a call that was decided meanwhile that the review does not change it", () => {
  const refusal = { by: "reviewer", code: "denied-by-reviewer", reason: "no" }
  const denied = { ...waitingCall(), status: "denied", settledAt: 1, by: "ann", refusal } as unknown as ApprovalView
  expect(drawn(denied)).toContain("Already decided. Your review does not change it.")
})
