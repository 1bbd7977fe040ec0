import { describe, expect, it } from "vitest"
import { batchOf } from "./batch.ts"
import { waitingCall } from "./fixtures/waiting-call.ts"

const secret = { risks: [{ kind: "secret-like", key: "token", sentence: "It looks like a secret." }] } as const

describe("batchOf", () => {
  it.each([
    { name: "needs more reviewers", call: { needs: { approvals: 2, groups: [], selfApproval: false } } },
    { name: "(I1) holds a secret nobody has looked at", call: secret },
    { name: "(I2) has a tool that changed", call: { pin: "changed" } },
    { name: "has no arguments kept", call: { args: null } },
  ] as const)("leaves a call out of a yes to many that $name, and denies it with the others", ({ call }) => {
    const odd = waitingCall({ id: "odd", ...call } as Parameters<typeof waitingCall>[0])
    const batch = batchOf([waitingCall(), odd], () => false)
    expect(batch.allowed.map(({ id }) => id)).toEqual(["a1"])
    expect(batch.leftOut).toMatchObject([{ approval: { id: "odd" }, why: expect.any(String) }])
    expect(batch.denied.map(({ id }) => id)).toEqual(["a1", "odd"])
  })

  it("takes a call along once its secret was looked at", () => {
    expect(batchOf([waitingCall(secret)], () => true).allowed).toHaveLength(1)
  })
})
