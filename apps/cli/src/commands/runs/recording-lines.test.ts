import { asObject, type JsonObject, type JsonValue } from "@byleave/core"
import type { Recording } from "@byleave/runs"
import { describe, expect, it } from "vitest"
import { recordingLines } from "./recording-lines.ts"

const hostile = "\u001b[2J\u001b]0;owned\u0007\u009b1m\r\u202e\nPlayed again, it is the same."

/** Every text in it, and every name of a member, with what could steer a terminal. */
function poisoned(value: JsonValue, keep: (text: string) => boolean): JsonValue {
  if (typeof value === "string") return keep(value) ? value : `${value}${hostile}`
  if (Array.isArray(value)) return value.map((item: JsonValue) => poisoned(item, keep))
  const object = asObject(value)
  if (object === undefined) return value
  return Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, poisoned(inner, keep)]))
}

const message = (role: string, content: JsonValue = "hello"): JsonObject => ({ role, content })

const ofRun: readonly JsonObject[] = [
  { type: "model.answered", parts: [said("reasoning-delta", "hm"), said("text-delta", "Looking.")] },
  { type: "call.allowed", tool: { server: "files", tool: "read" }, args: { path: "a.md" } },
  { type: "call.ungated", name: "clock", args: {} },
  { type: "call.denied", tool: { server: "files", tool: "rm" }, args: {}, reason: "no" },
  { type: "call.asked", tool_call: "c1", tool: { server: "files", tool: "write" }, args: { path: "b.md" } },
  { type: "call.ended", tool_call: "c1", outcome: { result: { content: [{ type: "text", text: "ok" }] } } },
  { type: "call.ended", tool_call: "c2", outcome: { detail: "failed" } },
  { type: "call.ended", tool_call: "c3", outcome: { error: { message: "failed" } } },
  { type: "agent-run.failed", detail: "gone" },
]

const ofResponses: readonly JsonObject[] = [
  { type: "mcp_list_tools", tools: [{ name: "read" }, { name: "write" }] },
  { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
  { type: "message", content: [{ type: "output_text", text: "Looking." }] },
  { type: "mcp_approval_request", id: "mcpr_1", server_label: "files", name: "write", arguments: "{}" },
  { type: "mcp_call", server_label: "files", name: "write", arguments: "{}", output: "ok" },
].map((item) => ({ type: "response.output_item.done", item }))

function said(type: string, delta: string): JsonObject {
  return { type, delta }
}

const requests: readonly JsonObject[] = [
  { messages: [message("user"), message("nobody"), message("tool", [{ type: "text", text: "hello" }])] },
  { input: "hello" },
  {
    input: [
      message("developer"),
      { type: "mcp_approval_response", approve: true, approval_request_id: "mcpr_1", reason: "fine" },
    ],
    answers: [{ tool_call: "c1", approve: false, reason: "no", args: { path: "c.md" } }],
  },
]

const types = new Set([...ofRun, ...ofResponses].map(({ type }) => type as string))
for (const { item } of ofResponses) types.add(asObject(item)?.type as string)
const isKind = (text: string): boolean => types.has(text) || /-delta$|_response$/.test(text)

function drawn(of: Recording["of"], isHostile: boolean): string {
  const keep = (text: string): boolean => !isHostile || isKind(text)
  const events = (of === "run" ? ofRun : ofResponses).map((event) => ({
    ms: 0,
    event: poisoned(event, keep) as JsonObject,
  }))
  const legs = requests.map((request) => ({ request: poisoned(request, keep) as JsonObject, events }))
  return recordingLines({ of, legs, end: null } as unknown as Recording, (_, text) => text, 80)
}

describe.each(["run", "responses"] as const)("a recording of: %s", (of) => {
  it("steers no terminal, whichever of its texts tries to", () => {
    expect(drawn(of, true)).toContain("⟨U+001B⟩[2J")
    expect(drawn(of, true)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
  })

  it("begins every line with a word of ours or with the mark of others' words", () => {
    for (const line of drawn(of, true).trimEnd().split("\n")) {
      expect(line).toMatch(/^(?:Leg \d+$| {2}[a-z]+(?: |$)| {6}│ )/)
    }
  })

  it("names an author by a word of ours", () => {
    expect(drawn(of, false)).toContain("  user      hello\n  other     hello\n  tool      hello\n")
    expect(drawn(of, true)).not.toMatch(/^ {2}nobody/m)
  })
})
