import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { listedCall, waitingCall } from "../fixtures/waiting-call.ts"
import { batchOutcome, failureText, outcomesInWords, tellingArgument } from "./batch-outcome.ts"

const ran = { startedAt: 1, settledAt: 2, approvedBy: "ada", delivered: true }

describe("batchOutcome", () => {
  it("says of a call that was allowed and failed that it failed, and why", () => {
    const error = { content: [{ type: "text", text: "ENOENT: no such folder" }], isError: true }
    const failed = { ...waitingCall(), ...ran, status: "failed", error } as unknown as ApprovalView
    expect(batchOutcome(failed)).toEqual({ words: "Failed", tone: "no", why: "ENOENT: no such folder" })
  })

  it.each([
    { is: { status: "approved", callerWaits: true }, words: "Starting" },
    { is: { status: "approved", callerWaits: false }, words: "Approved, not run" },
    { is: { status: "running" }, words: "Running" },
    { is: { status: "succeeded" }, words: "Succeeded" },
    { is: { status: "denied" }, words: "Denied" },
    {
      is: { status: "pending", needs: { approvals: 2, groups: [], selfApproval: false } },
      words: "Waiting for more reviewers",
    },
    { is: { status: "pending" }, words: "Not confirmed yet" },
  ])("says where a call stands: $words", ({ is, words }) => {
    expect(batchOutcome({ ...listedCall(), ...is } as ApprovalSummaryView).words).toBe(words)
  })

  it("reads JSON-RPC's message, and shows no secret of it", () => {
    expect(failureText({ code: -32_000, message: "The server is gone." })).toBe("The server is gone.")
    expect(failureText({ code: 1, message: "token: sk-live-0123456789abcdefghijklmnop" })).not.toContain("sk-live")
  })

  it("counts calls by where they stand, those that need a look first", () => {
    const failed = { words: "Failed", tone: "no", why: null } as const
    const running = { words: "Running", tone: "know", why: null } as const
    const done = { words: "Succeeded", tone: "yes", why: null } as const
    expect(outcomesInWords([done, failed, running, failed])).toBe("2 failed, 1 running, 1 succeeded")
  })
})

describe("tellingArgument", () => {
  const shown = (name: string, text: string) => ({ name, text, isSecret: false })
  it.each([
    { preview: [shown("content", "x"), shown("path", "a.txt")], told: "a.txt" },
    { preview: [shown("entities", "Ada")], told: "Ada" },
    { preview: [], told: null },
    { preview: null, told: null },
  ])("tells calls of one tool apart by $told", ({ preview, told }) => {
    expect(tellingArgument({ preview })).toBe(told)
  })
})
