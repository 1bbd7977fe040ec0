import { describe, expect, it } from "vitest"
import { callerOf, isOwn, ownKey } from "./gate-context.ts"

const wrap = { token: "wrap", owner: "ana" }
const from = (agent: string) => ({ agent, session: { id: "s1", named: true } })

describe("a gate credential", () => {
  it.each(["copilot", "other:copilot", "wrap", ":", "byleave"])(
    "I1: speaks for %s below its own name, and for nobody else",
    (agent) => {
      const id = `wrap:${agent}`
      expect(callerOf(wrap, from(agent))).toEqual({
        principal: { id, owner: "ana" },
        session: { principal: id, id: "s1", named: true },
      })
    },
  )

  it.each([
    { name: "has no name", session: { id: "x", named: false } },
    { name: "is named like its agent", session: { id: "wrap:x", named: true } },
  ])("calls in the agent's own session where the one it says $name", ({ session }) => {
    const own = { principal: "wrap:x", id: "wrap:x", named: false }
    expect(callerOf(wrap, { agent: "x", session }).session).toEqual(own)
  })

  it("I2: owns what is below its name, and nothing that only begins like it", () => {
    expect(isOwn(wrap, "wrap:copilot")).toBe(true)
    for (const principal of ["wrap", "wrapped:copilot", "wrap2:copilot", "other:wrap:copilot", ""])
      expect(isOwn(wrap, principal)).toBe(false)
  })

  it("I3: names things for itself: no two of another credential and another name are one", () => {
    const keys = ["a", "b", 'a","b'].flatMap((token) => ["a", "b", 'b","a'].map((name) => ownKey({ token }, name)))
    expect(new Set(keys).size).toBe(9)
  })
})
