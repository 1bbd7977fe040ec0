import { describe, expect, it } from "vitest"
import { newApproval } from "./new-approval.ts"

const input = {
  id: "a1",
  call: {
    tool: { server: "files", tool: "write_file" },
    args: { path: "/a" },
    principal: { id: "agent" },
    session: { principal: "agent", id: "s1", named: true },
  },
  at: 1_000,
  access: "write",
  callDigest: "d0",
  fingerprint: "f0",
  policyVersion: "p1",
  why: "no rule matches",
  rule: null,
  remember: "allowed",
  needs: { approvals: 1, groups: [], selfApproval: false },
  caller: "c1",
  wait: 500,
} as const

describe("newApproval", () => {
  it("R94: begins unanswered, bound to the call as it was made", () => {
    expect(newApproval(input)).toMatchObject({
      status: "pending",
      version: 0,
      kind: "tool",
      votes: [],
      caller: "c1",
      args: { path: "/a" },
      callDigest: "d0",
      runDigest: "d0",
      editedArgs: null,
      rerunOf: null,
    })
  })

  it.each([
    { name: "R152: a time", wait: 500, expiresAt: 1_500 },
    { name: "R155: for ever", wait: null, expiresAt: null },
    { name: "no time at all", wait: 0, expiresAt: 1_000 },
  ])("C1: waits for $name", ({ wait, expiresAt }) => {
    expect(newApproval({ ...input, wait }).expiresAt).toBe(expiresAt)
  })

  it("runs an earlier one anew, as a reviewer had edited it, for the call the agent repeats", () => {
    const anew = newApproval({ ...input, rerunOf: "a0", edit: { args: { path: "/b" }, digest: "d1" }, caller: null })
    expect(anew).toMatchObject({ rerunOf: "a0", callDigest: "d0", runDigest: "d1", editedArgs: { path: "/b" } })
  })

  it("says what it holds when that is not a tool", () => {
    expect(newApproval({ ...input, call: { ...input.call, kind: "sampling" } }).kind).toBe("sampling")
  })
})
