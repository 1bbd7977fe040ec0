import type { ApprovalSummaryView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { listedCall } from "../fixtures/waiting-call.ts"
import { batchOf } from "./batch.ts"

const secret = { risks: { count: 1, kinds: ["secret-like"] } } as const

describe("batchOf", () => {
  it.each<{ name: string; call: Partial<ApprovalSummaryView> }>([
    { name: "needs more reviewers", call: { needs: { approvals: 2, groups: [], selfApproval: false } } },
    { name: "(I1) holds a secret nobody has looked at", call: secret },
    { name: "(I1) was never checked for secrets", call: { risks: null } },
    { name: "(I2) has a tool that changed", call: { pin: "changed" } },
    { name: "(I3) is too long to be shown among others", call: { bytes: 300_000 } },
    { name: "has no arguments kept", call: { preview: null } },
  ])("leaves a call out of a yes to many that $name, and denies it with the others", ({ call }) => {
    const odd = listedCall({ id: "odd", ...call })
    const batch = batchOf([listedCall(), odd], () => false)
    expect(batch.allowed.map(({ id }) => id)).toEqual(["a1"])
    expect(batch.leftOut).toMatchObject([{ approval: { id: "odd" }, why: expect.any(String) }])
    expect(batch.denied.map(({ id }) => id)).toEqual(["a1", "odd"])
  })

  it("takes a call along once its secret was looked at", () => {
    expect(batchOf([listedCall(secret)], () => true).allowed).toHaveLength(1)
  })

  it("I3: allows no more at once than a page can show, and denies all", () => {
    const many = Array.from({ length: 150 }, (_, at) => listedCall({ id: `c${at}` }))
    expect(batchOf(many, () => false)).toMatchObject({ allowed: { length: 100 }, denied: { length: 150 } })
    const long = Array.from({ length: 40 }, (_, at) => listedCall({ id: `c${at}`, bytes: 200_000 }))
    expect(batchOf(long, () => false)).toMatchObject({ allowed: { length: 20 }, leftOut: { length: 20 } })
  })
})
