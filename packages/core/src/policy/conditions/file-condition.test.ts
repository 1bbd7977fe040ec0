import { describe, expect, it } from "vitest"
import { links } from "../fixtures/links.ts"
import type { Condition } from "../rules/rule.ts"
import { compileConditions } from "./condition.ts"
import { createPathLookup, type PathContext } from "./path-lookup.ts"

const plan: Condition = { key: "path", op: "file", path: "/ws/notes/plan.md" }

function judged(effect: "allow" | "deny", path: string, context: PathContext = {}, hasRoots = false): string {
  const judgement = compileConditions([plan], effect, context)({ path }, createPathLookup(context, hasRoots))
  return typeof judgement === "string" ? judgement : "unjudged"
}

describe("a condition on one file", () => {
  it.each([
    ["/ws/notes/plan.md", "holds"],
    ["/ws/notes//plan.md", "holds"],
    ["/ws/./notes/plan.md", "holds"],
    ["/ws/notes/x/../plan.md", "holds"],
    ["notes/plan.md", "holds"],
    ["./notes/plan.md", "holds"],
    ["/ws/notes/plan.md.bak", "fails"],
    ["/ws/notes/plan.md/x", "fails"],
    ["/ws/notes", "fails"],
    ["~/notes/plan.md", "unjudged"],
    ["/ws/notes/%2e/plan.md", "unjudged"],
    ["file:///ws/notes/plan.md", "unjudged"],
  ])("knows it however it is written: %s: %s", (path, wanted) => {
    for (const effect of ["allow", "deny"] as const) expect(judged(effect, path, { bases: ["/ws"] })).toBe(wanted)
  })

  it("needs every folder that a relative path may start from for an allow, and one for a deny", () => {
    const context = { bases: ["/ws", "/srv"] }
    expect([judged("allow", "notes/plan.md", context), judged("deny", "notes/plan.md", context)]).toEqual([
      "fails",
      "holds",
    ])
  })

  it.each(["allow", "deny"] as const)(
    "leaves a relative path to a person where the agent names the folders: %s",
    (effect) => {
      expect(judged(effect, "notes/plan.md", { bases: ["/ws"] }, true)).toBe("unjudged")
      expect(judged(effect, "/ws/notes/plan.md", { bases: ["/ws"] }, true)).toBe("holds")
    },
  )

  it("follows links: those to the file, and the file where it is one", () => {
    const elsewhere = { realPaths: links({ "/ws/open": "/ws/notes", "/ws/same.md": "/ws/notes/plan.md" }) }
    for (const path of ["/ws/open/plan.md", "/ws/same.md", "/dark/plan.md"]) {
      expect([judged("allow", path, elsewhere) === "holds", judged("deny", path, elsewhere)]).toEqual([false, "holds"])
    }
    const isLink = { realPaths: links({ "/ws/notes/plan.md": "/ws/other.md" }) }
    expect(judged("allow", "/ws/notes/plan.md", isLink)).toBe("holds")
    expect([judged("allow", "/ws/other.md", isLink), judged("deny", "/ws/other.md", isLink)]).toEqual([
      "fails",
      "holds",
    ])
  })
})
