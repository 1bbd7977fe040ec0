import { describe, expect, it } from "vitest"
import { waitingCall } from "../fixtures/waiting-call.ts"
import { whyNotYou } from "./why-not-you.ts"

const ann = { id: "ann", groups: ["leads"] }
const needs = { approvals: 2, groups: ["leads"], selfApproval: false }
const vote = { reviewer: "ann", kind: "approve", groups: ["leads"], at: 1, digest: "d1" } as const

describe("whyNotYou", () => {
  it.each([
    { name: "whoever is in the group may allow", call: { needs }, me: ann, why: null },
    { name: "whoever is not may not", call: { needs }, me: { id: "bob", groups: ["sales"] }, why: /not in leads/ },
    { name: "one person counts once", call: { needs, votes: [vote] }, me: ann, why: /one more person/ },
    {
      name: "a yes to other arguments does not count",
      call: { needs, votes: [{ ...vote, digest: "before" }] },
      me: ann,
      why: null,
    },
    {
      name: "nobody allows calls under their own token",
      call: { principal: { id: "laptop", owner: "ann" } },
      me: ann,
      why: /your own token/,
    },
    { name: "nothing is said of somebody unknown", call: { needs }, me: null, why: null },
  ])("$name", ({ call, me, why }) => {
    const said = whyNotYou(waitingCall(call as Parameters<typeof waitingCall>[0]), me)
    if (why === null) expect(said).toBeNull()
    else expect(said).toMatch(why)
  })
})
