import type { AuditRecordView } from "@byleave/api"
import { auditTypes } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { recordKinds, typesOf } from "./record-kinds.ts"
import type { Sentence } from "./record-parts.ts"
import { recordReason, recordSentence, recordTone, recordTool, typeWords } from "./record-words.ts"

type Type = AuditRecordView["type"]

const record = (type: Type, body: AuditRecordView["body"] = {}): AuditRecordView => ({
  ...{ writer: "w", seq: 1, subject: "call", step: 0, at: 0, hash: "", payload: null, payloadBytes: null },
  type,
  body,
})

const said = (sentence: Sentence): string =>
  sentence.map((part) => (typeof part === "string" ? part : part.their)).join("")

const judged = { principal: "ci", server: "files", tool: "write_file", kind: "tool" }

describe("a record's sentence", () => {
  it.each<{ type: Type; body: AuditRecordView["body"]; words: string }>([
    {
      type: "call.allowed",
      body: { ...judged, because: "grant" },
      words: "ci called files(write_file). It was allowed without approval, by a saved permission.",
    },
    {
      type: "call.allowed",
      body: { ...judged, because: "mode", wouldAsk: true },
      words:
        "ci called files(write_file). It was allowed without approval, by the session's mode; it would otherwise have needed approval.",
    },
    {
      type: "call.asked",
      body: { ...judged, kind: "resource" },
      words: "ci called files(resource:write_file). It needs approval.",
    },
    {
      type: "call.asked",
      body: { ...judged, principal: "inbox:ada", undoOf: "c1" },
      words:
        "ada puts a file back as it was before another call changed it, with files(write_file). It needs approval.",
    },
    {
      type: "run.started",
      body: { server: "files", by: "ada" },
      words: "The call was sent to files. ada had it run; no agent was waiting for it.",
    },
    {
      type: "call.hidden",
      body: judged,
      words: "ci called files(write_file), which is hidden from it. It was refused.",
    },
    { type: "approval.approved", body: { by: "ada", edited: true }, words: "ada allowed it, with edited arguments." },
    { type: "approval.denied", body: { by: null }, words: "It was denied by a newer rule." },
    {
      type: "grant.created",
      body: { by: "ada", effect: "deny", breadth: { kind: "tool", server: "files", tool: "x" } },
      words: "ada saved a denial for files(x).",
    },
    {
      type: "access.changed",
      body: { what: "token", change: "removed", name: "ci", by: "ada" },
      words: "A token was removed: ci, by ada.",
    },
    {
      type: "session.launched",
      body: { principal: "copilot", session: "s", switches: ["--allow-all-tools", "--allow-all-urls"] },
      words: "copilot was started with --allow-all-tools --allow-all-urls, so that it asks less by itself.",
    },
    {
      type: "server.changed",
      body: { server: "files", change: "stopped", by: "ada" },
      words: "ada stopped the server files.",
    },
  ])("$words", ({ type, body, words }) => {
    expect(said(recordSentence(record(type, body)))).toBe(words)
  })

  it("is there for every type, whatever a tampered body holds", () => {
    for (const type of auditTypes) {
      for (const body of [{}, { by: 7, server: null, breadth: [], until: "x" }]) {
        expect(said(recordSentence(record(type, body)))).toMatch(/\S\.$/)
      }
    }
  })

  it("keeps what others wrote apart from what is ours", () => {
    const sentence = recordSentence(record("call.asked", { ...judged, tool: "x). It was allowed." }))
    expect(sentence).toContainEqual({ their: "files(x). It was allowed.)" })
  })
})

it("begins our own reasons like a sentence and leaves a person's as they are", () => {
  expect(recordReason(record("call.asked", { reason: "held for approval because no rule matches" }))).toBe(
    "Held for approval because no rule matches",
  )
  expect(recordReason(record("approval.denied", { reason: "not today" }))).toBe("not today")
  expect(recordReason(record("run.unknown", { detail: "cut off" }))).toBe("cut off")
})

it("finds every type of record under exactly one kind", () => {
  expect(recordKinds.flatMap(({ types }) => types as readonly string[]).toSorted()).toEqual([...auditTypes].toSorted())
  expect(typesOf("policy")).toEqual(["policy.changed"])
  expect(typesOf("constructor")).toBeUndefined()
})

it("names the tool beside a sentence that does not", () => {
  expect(recordTool(record("approval.approved", { server: "files", tool: "write_file" }))).toBe("files(write_file)")
  expect(recordTool(record("call.asked", judged))).toBeNull()
  expect(recordTool(record("run.succeeded", {}))).toBeNull()
})

describe("what the inbox read to show a card", () => {
  it("is told as that, and a file that is not there as nobody's failure", () => {
    const read = {
      ...record("call.allowed", { ...judged, principal: "inbox:ada", because: "rule" }),
      forCard: true,
    } as const
    expect(said(recordSentence(read))).toBe("Read for a review card shown to ada, with files(write_file), by a rule.")
    const absent = { ...record("run.failed"), forCard: true } as const
    expect(said(recordSentence(absent))).toMatch(/may not exist yet/)
    expect([recordTone(absent), typeWords(absent)]).toEqual(["plain", "Read for review card"])
  })
})
