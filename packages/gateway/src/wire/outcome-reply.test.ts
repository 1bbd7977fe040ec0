import type { Outcome } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { replyOfOutcome, runOutcomeOf, unknownName, type Wording } from "./outcome-reply.ts"

const inbox = "http://127.0.0.1:7337"
const tool: Wording = { call: { tool: { server: "files", tool: "write" } }, era: "legacy", inbox }
const resource: Wording = { ...tool, call: { kind: "resource", tool: { server: "files", tool: "a://1" } } }

const denied = { by: "reviewer", code: "denied-by-reviewer", reason: "not today" } as const
const ours: ReadonlyArray<{ name: string; outcome: Outcome }> = [
  { name: "a refusal", outcome: { kind: "refusal", refusal: denied, approval: "a1" } },
  { name: "a ticket", outcome: { kind: "ticket", approval: "a1", expiresAt: null } },
  { name: "what nobody can tell", outcome: { kind: "unknown", detail: "It was cut off.", approval: "a1" } },
]

describe("what we say ourselves", () => {
  it.each(ours)("I2: of a tool, $name is an error without structured content", ({ outcome }) => {
    const reply = replyOfOutcome(outcome, tool)
    expect(reply).toMatchObject({ kind: "result", result: { isError: true, content: [{ type: "text" }] } })
    expect(reply).not.toHaveProperty("result.structuredContent")
  })

  it.each(ours)("of anything else, $name is an error of JSON-RPC", ({ outcome }) => {
    expect(replyOfOutcome(outcome, resource).kind).toBe("error")
  })

  it.each([tool, resource])("I1: what is hidden is what does not exist", (wording) => {
    const refusal = { by: "policy", code: "hidden", reason: "a rule hides it" } as const
    expect(replyOfOutcome({ kind: "refusal", refusal, approval: null }, wording)).toEqual(unknownName(wording))
  })

  it("I4: a name cannot write to the terminal that shows it", () => {
    const sly = { ...tool, call: { tool: { server: "files", tool: "read\u001b[2J\u202eetirw" } } }
    const said = JSON.stringify(replyOfOutcome({ kind: "ticket", approval: "a1", expiresAt: null }, sly))
    expect(said).not.toMatch(/\\u001b|\u202e/)
  })

  it.each([
    { code: "expired", by: "timeout", reason: "Nobody decided in time, so files(write) did not run." },
    { code: "cancelled", by: "policy", reason: "files(write) was withdrawn before it ran: its session ended." },
    { code: "superseded", by: "policy", reason: "files(write) did not run: its definition changed." },
  ] as const)("of a call that nobody refused ($code) is said once what became of it", (refusal) => {
    const said = JSON.stringify(replyOfOutcome({ kind: "refusal", refusal, approval: null }, tool))
    expect(said).toContain(`"text":"${refusal.reason} `)
    expect(said).not.toMatch(/refused|was not run/)
  })

  it("puts no reason into the mouth of a reviewer who gave none", () => {
    const said = JSON.stringify(
      replyOfOutcome({ kind: "refusal", refusal: { ...denied, reason: "" }, approval: "a1" }, tool),
    )
    expect(said).toContain("files(write) was not run. A reviewer denied it and gave no reason. ")
  })

  it("a ticket links to the very call that waits", () => {
    const said = JSON.stringify(replyOfOutcome({ kind: "ticket", approval: "a1", expiresAt: null }, tool))
    expect(said).toContain("decide at http://127.0.0.1:7337/?open=a1.")
    expect(said).toContain('"inbox":"http://127.0.0.1:7337/?open=a1"')
  })

  it("I5: what nobody can tell may have taken effect, and is not simply repeated", () => {
    const unknown: Outcome = { kind: "unknown", detail: "It was cut off.", approval: null }
    for (const wording of [tool, resource]) {
      const said = JSON.stringify(replyOfOutcome(unknown, wording))
      expect(said).toContain("may or may not have taken effect")
      expect(said).toContain("do not simply repeat it")
      expect(said).not.toContain("was not run")
    }
  })
})

describe("what a server said", () => {
  it("I3: is kept as a failure where the server calls it one", () => {
    const error = { code: 1, message: "no" }
    expect(runOutcomeOf({ kind: "error", error })).toEqual({ kind: "failed", error })
    const result = { isError: true, content: [] }
    expect(runOutcomeOf({ kind: "result", result })).toEqual({ kind: "failed", error: result })
    expect(runOutcomeOf({ kind: "result", result: { content: [] } }).kind).toBe("succeeded")
  })
})
