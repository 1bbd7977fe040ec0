import { describe, expect, it } from "vitest"
import { waitingCall } from "../fixtures/waiting-call.ts"
import { answersOffered, votesSoFar } from "./answers-offered.ts"

describe("answersOffered", () => {
  it.each([
    {
      name: "a plain call can be remembered, denied for good and edited",
      call: {},
      once: null,
      deny: "tool",
      edit: true,
    },
    {
      name: "I1: what policy asks every time is answered once, either way",
      call: { remember: "never" },
      once: /requires approval every time/,
      deny: "never",
      edit: true,
    },
    {
      name: "what several people must allow is allowed once; one person may deny it for good",
      call: { needs: { approvals: 2, groups: [], selfApproval: false } },
      once: /2 reviewers must approve it/,
      deny: "tool",
      edit: true,
    },
    {
      name: "what is not a tool is allowed once, and denied for good only with its whole server",
      call: { kind: "resource" },
      once: /not a tool/,
      deny: "server",
      edit: false,
    },
    {
      name: "arguments that are no longer kept cannot be edited",
      call: { args: null },
      once: null,
      deny: "tool",
      edit: false,
    },
  ] as const)("$name", ({ call, once, deny, edit }) => {
    const offered = answersOffered(waitingCall(call as Parameters<typeof waitingCall>[0]))
    if (once === null) expect(offered.whyOnlyOnce).toBeNull()
    else expect(offered.whyOnlyOnce).toMatch(once)
    expect(offered).toMatchObject({ denyAlways: deny, canEdit: edit })
  })
})

describe("votesSoFar", () => {
  const needs = { approvals: 2, groups: ["leads"], selfApproval: false }
  const vote = { groups: [], at: 1, digest: "d1" } as const

  it("says who has allowed it and how many are missing, counting each person once", () => {
    const votes = [
      { ...vote, reviewer: "ann", kind: "approve" },
      { ...vote, reviewer: "ann", kind: "approve" },
    ] as const
    expect(votesSoFar(waitingCall({ needs, votes }))).toEqual({
      given: ["ann"],
      missing: 1,
      words: "2 reviewers from leads must allow this call. ann allowed it; 1 more is needed.",
    })
  })

  it("I2: does not count a yes to other arguments", () => {
    const votes = [{ ...vote, reviewer: "ann", kind: "approve", digest: "before the edit" }] as const
    expect(votesSoFar(waitingCall({ needs, votes }))).toMatchObject({ given: [], missing: 2 })
  })

  it("has nothing to say where one person is enough", () => {
    expect(votesSoFar(waitingCall())).toBeNull()
  })
})
