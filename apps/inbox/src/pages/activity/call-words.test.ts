import { type JsonObject, previewOf } from "@byleave/core"
import { tookInWords } from "@byleave/ui"
import { describe, expect, it } from "vitest"
import {
  argsLine,
  callTitle,
  decisionWords,
  denialReason,
  outcomeWords,
  reasonShown,
  refusalInWords,
  whyName,
} from "./call-words.ts"

describe("a decision", () => {
  it.each([
    { call: { effect: "allow", allowedBy: "rule" } as const, words: "Allowed by a rule" },
    { call: { effect: "allow", allowedBy: "grant" } as const, words: "Allowed by permission" },
    { call: { effect: "allow", allowedBy: "mode" } as const, words: "Allowed by mode" },
    { call: { effect: "allow", allowedBy: "default" } as const, words: "Allowed by default" },
    { call: { effect: "ask", allowedBy: null } as const, words: "Needed approval" },
    { call: { effect: "deny", allowedBy: null } as const, words: "Denied by policy" },
    { call: { effect: "hide", allowedBy: null } as const, words: "Hidden" },
  ])("is said as $words", ({ call, words }) => {
    expect(decisionWords(call).words).toBe(words)
  })
})

describe("an outcome", () => {
  it("is the same words as on the card for what was approved and has not run", () => {
    expect(outcomeWords({ outcome: "waiting", decidedBy: "ada" })).toEqual({ words: "Approved, not run", tone: "wait" })
    expect(outcomeWords({ outcome: "waiting", decidedBy: null }).words).toBe("Waiting")
  })

  it("is called Succeeded where it did, as on the card and among results", () => {
    expect(outcomeWords({ outcome: "succeeded", decidedBy: "ada" }).words).toBe("Succeeded")
  })

  it("tells why a call was held apart from why a person denied it, also where no reason was given", () => {
    expect(whyName({ effect: "ask" })).toBe("Why it was held")
    const denied = { outcome: "denied", decidedBy: "ada" } as const
    expect(denialReason({ ...denied, reason: "Use base.yaml." })).toBe("Use base.yaml.")
    expect(denialReason({ ...denied, reason: "" })).toBe("No reason was given")
    expect(denialReason({ outcome: "denied", decidedBy: null, reason: null })).toBeNull()
    expect(denialReason({ outcome: "succeeded", decidedBy: "ada", reason: null })).toBeNull()
  })

  it("comes with the reason for a denial, whoever denied it", () => {
    const why = "denied by the rule deny: files(move_file)"
    const ruled = { rule: "deny: files(move_file)", why }
    expect(reasonShown({ outcome: "denied", reason: "Use base.yaml.", ...ruled })).toBe("Use base.yaml.")
    expect(reasonShown({ outcome: "denied", reason: "", ...ruled })).toBeNull()
    expect(reasonShown({ outcome: "denied", reason: null, ...ruled })).toBeNull()
    expect(reasonShown({ outcome: "refused", reason: null, ...ruled })).toBe(
      "Denied by the rule deny: files(move_file)",
    )
    expect(reasonShown({ outcome: "refused", reason: null, rule: null, why: "held for approval" })).toBeNull()
    expect(reasonShown({ outcome: "succeeded", reason: "Fine.", ...ruled })).toBeNull()
  })
})

it("titles a call by its tool and the value that tells it from others", () => {
  const title = (args: JsonObject) =>
    callTitle({ kind: "tool", tool: { server: "files", tool: "write_file" }, preview: previewOf(args) })
  expect(title({ content: "a", path: "docs/keys.md" })).toBe("files(write_file) · docs/keys.md")
  expect(title({})).toBe("files(write_file)")
  expect(title({ path: "a".repeat(200) }).length).toBeLessThan(130)
})

it("puts arguments on one line and says that it is cut", () => {
  const line = (args: JsonObject) => argsLine({ preview: previewOf(args), argsBytes: 10 })
  expect(line({ deep: { n: 1 }, path: "a\nb" })).toBe("path: a b, deep: n: 1")
  expect(line({ text: "x".repeat(1_000) })).toMatch(/^text: x+…$/)
  expect(argsLine({ preview: null, argsBytes: 3_900_000 })).toBe("3.9 MB of arguments")
  expect(argsLine({ preview: null, argsBytes: null })).toBe("")
})

it("passes on a code it does not know", () => {
  expect(refusalInWords("denied-by-rule")).toBe("Denied by a rule")
  expect(refusalInWords("toString")).toBe("toString")
})

it.each([
  { ms: 12.4, words: "12 ms" },
  { ms: 1_250, words: "1.3 s" },
  { ms: 200_000, words: "3 min" },
])("says $words", ({ ms, words }) => {
  expect(tookInWords(ms)).toBe(words)
})
