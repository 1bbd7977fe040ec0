import { describe, expect, it } from "vitest"
import { waitingCall } from "../fixtures/waiting-call.ts"
import { freeArguments } from "./free-arguments.ts"
import { firstPattern } from "./pattern-draft.ts"

const told = (args: Record<string, string>) => {
  const call = waitingCall({ args })
  return freeArguments(firstPattern(call, "allow"), call)
}

describe("the arguments that a pattern leaves open", () => {
  it("are none at first", () => expect(told({ path: "/a", content: "one\ntwo" })).toBeNull())

  it("are secrets and texts too long to keep, by name", () => {
    expect(told({ path: "/a", password: "hunter2" })).toBe("Not limited: password may be anything.")
    expect(told({ command: "x".repeat(10_001), 'note" is "x': "y".repeat(10_001), path: "/a" })).toBe(
      String.raw`Not limited: command and "note\" is \"x" may be anything.`,
    )
  })

  it("are those with an empty name, too", () => {
    expect(told({ path: "/a", "": "y".repeat(10_001) })).toBe('Not limited: "" may be anything.')
  })

  it("are those whose condition is taken away", () => {
    const call = waitingCall()
    const draft = { ...firstPattern(call, "allow"), conditions: [] }
    expect(freeArguments(draft, call)).toBe("Not limited: path and content may be anything.")
  })

  it("are those beyond what a permission can say, the rest counted", () => {
    const args = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}`, "x"]))
    expect(told(args)).toMatch(
      /^Not limited: a40, .*, a51 and 8 more may be anything, and any other argument may be given\.$/,
    )
  })
})
