import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../../call/json/canonical-json.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { numberFrom } from "../../call/json/raw-number.ts"
import type { Approval } from "../approval.ts"
import { newApproval } from "../new-approval.ts"
import { nearMiss } from "./near-miss.ts"

function approved(args: JsonObject | null, editedArgs: JsonObject | null = null): Approval {
  const held = newApproval({
    id: "a1",
    call: {
      tool: { server: "files", tool: "write" },
      args: {},
      principal: { id: "agent" },
      session: { principal: "agent", id: "s1", named: true },
    },
    at: 1,
    access: "write",
    callDigest: "d0",
    fingerprint: "f0",
    policyVersion: "p1",
    why: "",
    rule: null,
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false },
    caller: null,
    wait: null,
  })
  return { ...held, args, editedArgs }
}

describe("nearMiss", () => {
  it.each<{ name: string; before: JsonObject; after: JsonObject; expected: readonly object[] }>([
    { name: "the same in another order", before: { a: 1, b: [{}] }, after: { b: [{}], a: 1 }, expected: [] },
    { name: "a changed value", before: { a: 1 }, after: { a: "1" }, expected: [{ path: "/a", before: 1, after: "1" }] },
    { name: "one more", before: {}, after: { a: null }, expected: [{ path: "/a", after: null }] },
    { name: "one less", before: { a: false }, after: {}, expected: [{ path: "/a", before: false }] },
    {
      name: "deep inside",
      before: { a: { "b/c": [1, 2] } },
      after: { a: { "b/c": [1, 3, 4] } },
      expected: [
        { path: "/a/b~1c/1", before: 2, after: 3 },
        { path: "/a/b~1c/2", after: 4 },
      ],
    },
    { name: "another kind", before: { a: [] }, after: { a: {} }, expected: [{ path: "/a", before: [], after: {} }] },
    {
      name: "an object's own names",
      before: {},
      after: { constructor: 1 },
      expected: [{ path: "/constructor", after: 1 }],
    },
  ])("$name", ({ before, after, expected }) => {
    expect(nearMiss(approved(before), after)).toEqual(expected)
  })

  it("compares numbers beyond a double by their digits", () => {
    const [a, b] = [numberFrom("9007199254740993"), numberFrom("9007199254740995")]
    expect(nearMiss(approved({ n: a }), { n: numberFrom("9007199254740993") })).toEqual([])
    expect(nearMiss(approved({ n: a }), { n: b })).toMatchObject([{ path: "/n" }])
  })

  it("compares with what was approved: the edited arguments", () => {
    expect(nearMiss(approved({ a: 1 }, { a: 2 }), { a: 2 })).toEqual([])
  })

  it("says that it cannot tell once the arguments are gone", () => {
    expect(nearMiss(approved(null), {})).toBeNull()
  })

  it("finds a difference exactly when there is one", () => {
    const args = fc.dictionary(fc.string({ maxLength: 2 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
    fc.assert(
      fc.property(args, args, (before, after) => {
        const [a, b] = [before as JsonObject, after as JsonObject]
        expect(nearMiss(approved(a), b)?.length === 0).toBe(canonicalJson(a) === canonicalJson(b))
        expect(nearMiss(approved(a), structuredClone(a))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
