import { describe, expect, it } from "vitest"
import type { Grant, Level } from "./grant.ts"
import { grantAtLevel } from "./grant-at-level.ts"
import { levelOfGrant } from "./levels.ts"

const how = { by: "ana", at: 1_000 }
const session = { principal: "agent", id: "s1" }

function grant(more: Partial<Grant> = {}): Grant {
  return {
    id: "g",
    effect: "allow",
    breadth: { kind: "tool", server: "files", tool: "write" },
    createdAt: 1,
    createdBy: "ben",
    from: "approval",
    lastUsedAt: 5,
    timesUsed: 3,
    ...more,
  }
}

describe("a grant at another level", () => {
  const levels: readonly Level[] = ["AllowOnce", "AllowSession", "AllowAlways", "DenyAlways"]
  const before = [
    grant({ session }),
    grant({ session, until: 2_000, usesLeft: 5 }),
    grant({ effect: "deny", reason: "no" }),
    grant({ until: 2_000 }),
  ]
  it("R128: has that level, its history and a version of its own, by whoever gave it", () => {
    for (const old of before) {
      for (const level of levels) {
        const next = grantAtLevel(old, level, how)
        if (next === null || "code" in next || next === old) continue
        expect(levelOfGrant(next)).toBe(level)
        expect(next).toMatchObject({ id: "g", version: 2, createdBy: "ana", createdAt: 1_000, timesUsed: 3 })
      }
    }
  })

  it.each([
    { name: "for good is for every session, without end", to: "AllowAlways", old: before[1], keys: [] },
    { name: "a denial is for every session, without end", to: "DenyAlways", old: before[1], keys: [] },
    {
      name: "once keeps session and end",
      to: "AllowOnce",
      old: grant({ session, until: 2_000 }),
      keys: ["session", "until"],
    },
    { name: "a session's yes is no longer counted", to: "AllowSession", old: before[1], keys: ["session", "until"] },
  ] as const)("$name", ({ to, old, keys }) => {
    const next = grantAtLevel(old ?? grant(), to, how) as Grant
    expect(["session", "until"].filter((key) => Object.hasOwn(next, key))).toEqual(keys)
    expect(next.usesLeft).toBe(to === "AllowOnce" ? 1 : undefined)
  })

  it("an answer for one agent is no more than a session's, stays with that agent, and is for everybody once it is for good", () => {
    const forAgent = grant({ agent: "claude" })
    expect(levelOfGrant(forAgent)).toBe("AllowSession")
    expect(grantAtLevel(forAgent, "AllowOnce", how)).toMatchObject({ agent: "claude", usesLeft: 1 })
    expect(grantAtLevel(forAgent, "AllowAlways", how)).not.toHaveProperty("agent")
  })

  it("an answer for the runs of one starter stays with them, and is for everybody once it is for good", () => {
    const forRuns = grant({ agent: "run", starter: "runner ci" })
    expect(grantAtLevel(forRuns, "AllowOnce", how)).toMatchObject({ agent: "run", starter: "runner ci" })
    expect(grantAtLevel(forRuns, "AllowAlways", how)).not.toHaveProperty("starter")
  })

  it("a reason goes with the answer it was given for", () => {
    expect(grantAtLevel(before[2] ?? grant(), "AllowAlways", how)).not.toHaveProperty("reason")
  })

  it("is forgotten by Ask, and the same by the level it has", () => {
    expect(grantAtLevel(grant(), "Ask", how)).toBeNull()
    const same = grant({ session })
    expect(grantAtLevel(same, "AllowSession", how)).toBe(same)
  })

  it("is not for one session when it names none", () => {
    expect(grantAtLevel(grant(), "AllowSession", how)).toMatchObject({ code: "no-session" })
  })

  it("a denial of several servers becomes no yes; of one, a yes for that one by name", () => {
    const deny = (server: string) => grant({ effect: "deny", breadth: { kind: "pattern", server, tool: "*" } })
    expect(grantAtLevel(deny("f*"), "AllowAlways", how)).toMatchObject({ code: "many-servers" })
    expect(grantAtLevel(deny("f[*]"), "AllowAlways", how)).toMatchObject({ breadth: { server: "f*" } })
    const allow = grant({ breadth: { kind: "pattern", server: "f*", tool: "*" } })
    expect(grantAtLevel(allow, "DenyAlways", how)).toMatchObject({ breadth: { server: "f[*]" } })
  })
})
