import { describe, expect, it } from "vitest"
import { waitingCall } from "../../../data/fixtures/waiting-call.ts"
import { firstValues, foldLines, groupsOf, nothingFolded, toggledFold, unfoldedFor } from "./fold-lines.ts"
import { groupCalls } from "./group-calls.ts"
import { stepped } from "./neighbour.ts"

const calls = [
  waitingCall("1", { session: "a", args: { path: "notes.txt" } }),
  waitingCall("2", { session: "a", args: { path: "plan.txt" } }),
  waitingCall("3", { session: "a", tool: "move_file" }),
  waitingCall("4", { session: "b" }),
]
const { lines } = groupCalls(calls)
const keysIn = (folded: ReadonlySet<string>) =>
  foldLines(lines, folded).map(({ kind, key }) => (kind === "call" ? key : kind))
const [tool = "", session = ""] = groupsOf(lines, "1")

describe("folding groups", () => {
  it("leaves of a folded group only its heading", () => {
    expect(keysIn(nothingFolded)).toEqual(["session", "tool", "1", "2", "3", "session", "4"])
    expect(keysIn(new Set([tool]))).toEqual(["session", "tool", "3", "session", "4"])
    expect(keysIn(new Set([session]))).toEqual(["session", "session", "4"])
    expect(keysIn(new Set([session, tool]))).toEqual(["session", "session", "4"])
  })

  it("folds the nearest group of a call, and unfolds what hides it", () => {
    expect([...toggledFold(lines, nothingFolded, "1")]).toEqual([tool])
    expect([...toggledFold(lines, new Set([tool]), "2")]).toEqual([])
    expect([...toggledFold(lines, new Set([session, tool]), "2")]).toEqual([tool])
    expect([...toggledFold(lines, nothingFolded, "3")]).toEqual([session])
    expect(toggledFold(lines, nothingFolded, "nobody")).toBe(nothingFolded)
  })

  it("shows a call that is opened, and leaves other groups as they are", () => {
    const others = groupsOf(lines, "4")
    expect([...unfoldedFor(lines, new Set([tool, session, ...others]), "1")]).toEqual(others)
  })

  it("summarises what it hides by the first values", () => {
    expect(firstValues(calls.slice(0, 2))).toBe("notes.txt, plan.txt")
    const many = ["a", "b", "b", "c", "d", "e"].map((path, at) => waitingCall(String(at), { args: { path } }))
    expect(firstValues(many)).toBe("a, b, c +2")
  })
})

describe("stepping from a call that is folded away", () => {
  it.each([
    { step: 1, to: "d" },
    { step: -1, to: "a" },
  ] as const)("by $step goes to the nearest in sight: $to", ({ step, to }) => {
    expect(stepped(["a", "d"], "b", step, ["a", "b", "c", "d"])).toBe(to)
  })

  it("turns round at the end of the list", () => {
    expect(stepped(["a"], "b", 1, ["a", "b"])).toBe("a")
  })
})
