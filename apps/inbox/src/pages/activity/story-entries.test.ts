import type { AuditRecordView, StoryView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { judgementOf, resultOf, storyEntries } from "./story-entries.ts"

const record = (
  type: AuditRecordView["type"],
  seq: number,
  body = {},
  payload: AuditRecordView["payload"] = null,
): AuditRecordView => ({
  ...{ writer: "w", subject: "call", step: seq, at: seq, hash: "" },
  ...{ type, seq, body, payload, payloadBytes: null },
})

const judged = record("call.asked", 1, {
  principal: "ci",
  server: "files",
  tool: "write_file",
  kind: "tool",
  policy: "v1",
  mode: "ask",
})
const toldOf = (records: readonly AuditRecordView[], approval: object | null = null): string[] =>
  storyEntries({ records, approval: approval as StoryView["approval"] }).map(({ sentence }) =>
    sentence.map((part) => (typeof part === "string" ? part : part.their)).join(""),
  )

describe("a story", () => {
  it("says that nobody answered, or that what was allowed was not called again", () => {
    const expired = record("approval.expired", 3)
    expect(toldOf([judged, expired]).at(-1)).toBe("Nobody decided in time. The call expired.")
    expect(toldOf([judged, record("approval.approved", 2, { by: "ada" }), expired]).at(-1)).toBe(
      "Approved, but the agent did not retry in time.",
    )
  })

  it("ends with where the call stands, as far as no record says so", () => {
    expect(toldOf([judged], { status: "pending", expiresAt: null }).at(-1)).toBe("Waiting for a decision.")
    expect(toldOf([judged], { status: "approved", expiresAt: 0 }).at(-1)).toMatch(
      /^The agent stopped waiting\. .* the call runs\.$/,
    )
    expect(toldOf([judged], { status: "succeeded", delivered: true }).at(-1)).toBe("The agent received the result.")
    expect(toldOf([judged], { status: "failed", delivered: false }).at(-1)).toMatch(/has not received the result yet/)
    expect(toldOf([judged], { status: "denied" })).toHaveLength(1)
  })

  it("quotes a person's reason as that person's, and gives ours as ours", () => {
    const [asked, denied] = storyEntries({
      records: [
        record("call.asked", 1, { reason: "held for approval by the rule" }),
        record("approval.denied", 2, { by: "ada", reason: "no" }),
      ],
      approval: null,
    })
    expect(asked?.reason).toEqual({ text: "Held for approval by the rule", by: null })
    expect(denied?.reason).toEqual({ text: "no", by: "ada" })
  })
})

it("finds the result of the run that came last, and what judged the call", () => {
  expect(resultOf([judged, record("run.succeeded", 4, {}, { ok: 1 })])).toEqual({
    ...{ kind: "result", value: { ok: 1 }, wholeBytes: null },
  })
  expect(resultOf([judged, record("run.failed", 4, {}, "no")])).toMatchObject({ kind: "error", value: "no" })
  expect(resultOf([judged, record("run.succeeded", 4)])).toBeNull()
  expect(judgementOf([judged])).toEqual({ policy: "v1", mode: "ask", rerunOf: null })
})
