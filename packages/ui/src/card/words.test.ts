import type { ApprovalView, SessionView } from "@byleave/api"
import { fileChanges } from "@byleave/api/page"
import { describe, expect, it } from "vitest"
import { addressPieces } from "./arguments/address-pieces.ts"
import { argChanges, placeWords } from "./arguments/arg-changes.ts"
import { countOf, moreOf } from "./arguments/cut-text.ts"
import { spaceSigns, spaceWords } from "./arguments/space-pieces.ts"
import { patchLines } from "./changes/patch-lines.ts"
import { policyChangeIn } from "./changes/policy-change.ts"
import { accessSaid, askWords, calledText, hintsOf } from "./head/ask-words.ts"
import { callerWords, isCallerGone } from "./head/caller-words.ts"
import { statusWords } from "./head/status-words.ts"
import { resultBlock, resultParts } from "./outcome/result-blocks.ts"
import { urgencyOf } from "./row/row-words.ts"

const held = {
  id: "a1",
  version: 1,
  kind: "tool",
  tool: { server: "files", tool: "write_file" },
  principal: { id: "laptop" },
  session: { principal: "laptop", id: "s", named: true },
  sessionKey: "k",
  createdAt: 0,
  access: "write",
  accessFrom: "default",
  args: { path: "a", content: "x" },
  argsText: null,
  callDigest: "d",
  editedArgs: null,
  editedArgsText: null,
  runDigest: "d",
  fingerprint: "f",
  policyVersion: "1",
  why: "held for approval because no rule matches files(write_file)",
  rule: null,
  remember: "allowed",
  needs: { approvals: 1, groups: [], selfApproval: false },
  votes: [],
  callerWaits: true,
  rerunOf: null,
  risks: [],
  definition: null,
  pin: "accepted",
} as const
const waiting: ApprovalView = { ...held, status: "pending", expiresAt: null }
const ran = { startedAt: 1_000, settledAt: 1_120, approvedBy: "ada" } as const

describe("what became of a call", () => {
  it.each([
    [
      { ...held, status: "approved", at: 1, by: "ada", grant: null, expiresAt: 5 },
      "Allowed",
      /ada allowed it.*Starting/,
    ],
    [
      { ...held, status: "approved", at: 1, by: "ada", grant: "g", expiresAt: 5, callerWaits: false },
      "Approved, not run",
      /has not run.*runs once/,
    ],
    [
      { ...held, status: "running", startedAt: 1, approvedBy: "ada", leaseUntil: 9, cancelAsked: true },
      "Running",
      /told to stop/,
    ],
    [{ ...held, ...ran, status: "succeeded", result: null, delivered: true }, "Succeeded", /succeeded after 120 ms\.$/],
    [
      { ...held, ...ran, status: "failed", error: null, delivered: false },
      "Failed",
      /error\. The agent has not received/,
    ],
    [
      { ...held, ...ran, status: "succeeded", result: null, delivered: false, runNow: { by: "bo", keptUntil: 9 } },
      "Succeeded",
      /ada allowed it\. bo had it run while the agent was away\..*repeating the call by/,
    ],
    [
      { ...held, ...ran, status: "unknown", detail: "it crashed" },
      "Outcome unknown",
      /not known whether it ran.*it crashed\.$/,
    ],
    [
      {
        ...held,
        status: "denied",
        settledAt: 1,
        by: "ada",
        refusal: { by: "reviewer", code: "denied-by-reviewer", reason: "" },
      },
      "Denied",
      /^ada denied it/,
    ],
    [
      {
        ...held,
        status: "denied",
        settledAt: 1,
        by: null,
        refusal: { by: "policy", code: "denied-by-rule", reason: "" },
      },
      "Denied",
      /^The policy denied it/,
    ],
    [{ ...held, status: "expired", settledAt: 1 }, "Expired", /did not run/],
    [{ ...held, status: "cancelled", settledAt: 1, detail: "" }, "Withdrawn", /no reason is known/],
    [
      { ...held, status: "superseded", settledAt: 1, detail: "the tool changed." },
      "Tool changed",
      /the tool changed\.$/,
    ],
  ] as ReadonlyArray<readonly [ApprovalView, string, RegExp]>)("is told: %#, %s, %s", (approval, stamp, sentence) => {
    const words = statusWords(approval)
    expect(words?.stamp).toBe(stamp)
    expect(words?.sentence).toMatch(sentence)
  })

  it("has no stamp while it waits", () => {
    expect(statusWords(waiting)).toBeNull()
  })
})

describe("what is asked", () => {
  it.each([
    ["classify", "know", /^Read-only, according to your policy/, "to read with"],
    ["annotation", "know", /^Read-only, according to its server, which you trust/, "to read with"],
    ["name", "plain", /^Probably read-only, judging by its name$/, "to call"],
    [null, "plain", /^Assumed read-only$/, "to call"],
  ] as const)("R113: that it reads is said as it is known: by %s", (accessFrom, tone, words, asks) => {
    const reading: ApprovalView = { ...waiting, access: "read", accessFrom }
    expect(accessSaid(reading)).toEqual({ tone, words: expect.stringMatching(words) })
    expect(askWords(reading, []).after).toBe(` asks ${asks}`)
  })

  it("R105: is named by server and tool, other things by their kind", () => {
    expect(calledText(waiting)).toBe("files(write_file)")
    expect(calledText({ kind: "resource", tool: { server: "docs", tool: "file:///a" } })).toBe(
      "docs(resource:file:///a)",
    )
    expect(calledText({ kind: "sampling", tool: { server: "docs", tool: "" } })).toBe("docs(sampling)")
  })

  it("says only what the call itself shows", () => {
    const sentence = (approval: ApprovalView, changes: Parameters<typeof askWords>[1] = []) => {
      const { before, after } = askWords(approval, changes)
      return `${before}WHO${after}`
    }
    expect(sentence(waiting, fileChanges("write_file", held.args))).toBe("WHO asks to write a file with")
    expect(sentence(waiting, fileChanges("run_script", held.args))).toBe("WHO asks to call")
    expect(sentence(waiting)).toBe("WHO asks to call")
    expect(sentence({ ...waiting, access: "read", accessFrom: "classify" })).toBe("WHO asks to read with")
    expect(sentence({ ...held, status: "expired", settledAt: 1 })).toBe("WHO asked to call")
    expect(sentence({ ...waiting, kind: "elicitation" })).toBe("A server asks for input from the user of WHO")
  })

  it("repeats what the server hints, and nothing it does not", () => {
    const annotations = { destructiveHint: true, readOnlyHint: "yes", title: "Safe" }
    const definition = { title: null, description: null, icon: null, inputSchema: null, annotations }
    expect(hintsOf({ ...waiting, definition }).map(({ words }) => words)).toEqual(["may delete or overwrite data"])
    const risks = [{ kind: "destructive-verb", key: "", sentence: "It can destroy things." }] as const
    expect(hintsOf({ ...waiting, definition, risks })).toEqual([])
  })
})

describe("a row", () => {
  it.each([
    [null, "none"],
    [3_600_000, "none"],
    [600_000, "soon"],
    [60_000, "now"],
    [0, "over"],
  ] as const)("with %s ms left is urgent: %s", (left, urgency) => {
    expect(urgencyOf(left === null ? null : 1_000 + left, 1_000)).toBe(urgency)
  })
})

describe("places", () => {
  it.each([
    ["url", "https://ada:pw@evil.example:8443/x?y#z", "evil.example"],
    ["url", "https://bank.example@evil.example/", "evil.example"],
    ["url", "https://bank.example\\@evil.example/", "bank.example\\@evil.example"],
    ["path", "/home/ada/notes.md", "notes.md"],
    ["path", "drafts/", "drafts/"],
    ["folder", "a/b/", "b/"],
    ["note", "C:\\Users\\ada\\x.txt", "x.txt"],
    ["note", "either/or", null],
    ["url", "https://evil.example is bad", null],
  ])("%s %s: %s stands out", (name, text, emphasised) => {
    const found = addressPieces(name, text).filter((piece) => piece.isEmphasised)
    expect(found.map((piece) => piece.text)).toEqual(emphasised === null ? [] : [emphasised])
  })

  it("are counted from one", () => {
    expect(placeWords("/edits/0/new~1Text", { edits: [{ "new/Text": "" }] })).toBe("edits → 1 → new/Text")
    expect(placeWords("/edits/1", { edits: ["the other is gone"] })).toBe("edits → 2")
    expect(placeWords("", {})).toBe("everything")
    expect(placeWords("/5", {})).toBe('"5"')
    expect(placeWords('/"5"', {})).toBe(String.raw`"\"5\""`)
    expect(placeWords("/everything", {})).toBe('"everything"')
    expect(placeWords("/also sent: _meta", {})).toBe('"also sent: _meta"')
  })

  it.each([
    ["/rows/1000", { rows: { "1000": "x" } }, 'rows → "1000"'],
    ["/1000", { "1000": "x" }, '"1000"'],
    ["/rows/7/0", { rows: { "7": ["x"] } }, 'rows → "7" → 1'],
    ["/a → b", { "a → b": "x" }, '"a → b"'],
    ["/", { "": "x" }, '""'],
  ])("have an object's own names, whatever they look like: %s", (pointer, value, words) => {
    expect(placeWords(pointer, value)).toBe(words)
  })
})

describe("differences of arguments", () => {
  it("are found at every depth; order of names is none", () => {
    expect(argChanges({ a: { b: 1, c: 2 }, d: [1] }, { d: [2], a: { c: 2, b: 1 }, e: null })).toEqual([
      { path: "/d", before: [1], after: [2] },
      { path: "/e", after: null },
    ])
  })
})

describe("what a tool gave back", () => {
  it("is text to read, words about what is not text, and JSON for the rest", () => {
    const content = [
      { type: "text", text: "<b>done</b>" },
      { type: "image", data: "A".repeat(16_000), mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a", blob: "AAAA" } },
      { type: "new-kind", x: 1 },
    ]
    expect(resultParts({ content, structuredContent: { ok: true } }).map(resultBlock)).toEqual([
      { kind: "text", text: "<b>done</b>", isSecret: false },
      { kind: "other", words: "image, 12 kB", detail: "image/png" },
      { kind: "other", words: "a file, 3 bytes", detail: "file:///a" },
      { kind: "json", value: { type: "new-kind", x: 1 } },
      { kind: "json", value: { ok: true } },
    ])
    expect(resultParts("it broke").map(resultBlock)).toEqual([{ kind: "text", text: "it broke", isSecret: false }])
    expect(resultParts({ code: -32_602 }).map(resultBlock)).toEqual([{ kind: "json", value: { code: -32_602 } }])
  })
})

describe("a change of the configuration", () => {
  const args = { file: "byleave.yaml", version: "1", tightens: [], widens: ["More is allowed."], servers: [] }
  const own = { ...waiting, tool: { server: "byleave", tool: "change_policy" }, args }

  it("is told in sentences, and only where it has that shape and that name", () => {
    expect(policyChangeIn(own)?.widens).toEqual(["More is allowed."])
    expect(policyChangeIn({ ...own, tool: { server: "files", tool: "change_policy" } })).toBeNull()
    expect(policyChangeIn({ ...own, args: { ...args, widens: [7] } })).toBeNull()
  })
})

describe("small words", () => {
  it("count and say what cannot be seen", () => {
    expect(countOf(1, "line")).toBe("1 line")
    expect(moreOf(1_204, "character")).toBe("1,204 more characters")
    expect(spaceSigns("  \t")).toBe("··→\t")
    expect(spaceWords("  \t")).toBe("2 spaces and a tab")
  })

  it("keep a patch's own signs", () => {
    expect(patchLines("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n").map(({ kind }) => kind)).toEqual([
      "same",
      "same",
      "same",
      "removed",
      "added",
      "same",
    ])
  })
})

describe("whoever made a waiting call", () => {
  const ago = (at: number): string => `${at} min ago`
  const session = (connection: SessionView["connection"]) => ({ connection, lastSeenAt: 3 })

  it.each([
    [true, null, /^, waiting for the result$/],
    [false, null, /^; the agent is not waiting, so an approval applies/],
    [false, session({ state: "connected" }), /the agent is not waiting \(connected\), so an approval applies/],
    [false, session({ state: "unknown" }), /\(last seen 3 min ago\), so an approval applies/],
    [false, session({ state: "gone", since: 2 }), /; the agent disconnected 2 min ago: .*withdrawn/],
  ] as const)("waits: %s, session: %j", (callerWaits, of, words) => {
    expect(callerWords(callerWaits, of, ago)).toMatch(words)
  })

  it("is gone only where the call waits, nobody waits for it, and its program has left", () => {
    const left = session({ state: "gone", since: 2 })
    expect(isCallerGone({ ...waiting, callerWaits: false }, left)).toBe(true)
    expect(isCallerGone(waiting, left)).toBe(false)
    expect(isCallerGone({ status: "denied", callerWaits: false }, left)).toBe(false)
    expect(isCallerGone({ ...waiting, callerWaits: false }, session({ state: "unknown" }))).toBe(false)
    expect(isCallerGone({ ...waiting, callerWaits: false }, null)).toBe(false)
  })
})
