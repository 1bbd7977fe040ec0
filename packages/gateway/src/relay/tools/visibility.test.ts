import { type Decision, decisionScopes, type Effect, type Gate, type StoreEvent, sessionKey } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createVisibility } from "./visibility.ts"

const target = { server: "files", kind: "tool", name: "drop" } as const
const who = (principal: string, id = "s1") => ({
  principal: { id: principal },
  session: { principal, id, named: true },
})

const typesOf = (scope: "everyone" | null) =>
  (Object.keys(decisionScopes) as StoreEvent["type"][]).filter((type) => decisionScopes[type] === scope)

/** A gate whose word is what the test says it is now. */
function open(effectOf: (principal: string) => Effect) {
  const listeners = new Set<(event: StoreEvent) => void>()
  const judge: Gate["judge"] = async (_target, _args, { principal }) => ({ effect: effectOf(principal.id) }) as Decision
  const events: Gate["events"] = (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  let changes = 0
  const visibility = createVisibility({ judge, events }, () => {
    changes += 1
  })
  const happens = (type: StoreEvent["type"], subject = ""): void => {
    for (const listener of listeners) listener({ type, subject, seq: 1, at: 0 })
  }
  return { visibility, happens, changes: () => changes }
}

describe("what a session may see", () => {
  it("I1: is its own, though another principal calls its session the same", async () => {
    const { visibility } = open((principal) => (principal === "eve" ? "hide" : "allow"))
    expect(await visibility.isHidden(target, who("ana"))).toBe(false)
    expect(await visibility.isHidden(target, who("eve"))).toBe(true)
    expect(await visibility.isHidden(target, who("ana"))).toBe(false)
  })

  it.each(typesOf("everyone"))("I2: is asked again after %s", async (type) => {
    let effect: Effect = "allow"
    const { visibility, happens, changes } = open(() => effect)
    expect(await visibility.isHidden(target, who("ana"))).toBe(false)
    effect = "hide"
    happens("approval.pending")
    expect(await visibility.isHidden(target, who("ana"))).toBe(false)
    const before = visibility.changes(who("ana").session)
    happens(type)
    expect(visibility.changes(who("ana").session)).toBeGreaterThan(before)
    expect(await visibility.isHidden(target, who("ana"))).toBe(true)
    expect(changes()).toBe(type === "policy.changed" || type === "definition.changed" ? 1 : 0)
  })

  it("I2: is asked again after something that only newer processes know", () => {
    const { visibility, happens } = open(() => "allow")
    const before = visibility.changes(who("ana").session)
    happens("quota.changed" as StoreEvent["type"])
    expect(visibility.changes(who("ana").session)).toBeGreaterThan(before)
  })

  it("I2, I4: is asked again after its session's end, and nobody else's is", async () => {
    let effect: Effect = "allow"
    const { visibility, happens } = open(() => effect)
    const [ana, eve] = [who("ana"), who("eve")]
    for (const each of [ana, eve]) expect(await visibility.isHidden(target, each)).toBe(false)
    const before = visibility.changes(ana.session)
    effect = "hide"
    happens("session.ended", sessionKey(eve.session))
    expect(await visibility.isHidden(target, eve)).toBe(true)
    expect(visibility.changes(eve.session)).toBeGreaterThan(before)
    expect(await visibility.isHidden(target, ana)).toBe(false)
    expect(visibility.changes(ana.session)).toBe(before)
  })

  it("I5: is no name that is longer than a call may have, and the gate is not asked about it", async () => {
    let judged = 0
    const { visibility } = open(() => {
      judged += 1
      return "allow"
    })
    const named = (length: number) => ({ server: "files", kind: "resource", name: "x".repeat(length) }) as const
    expect(await visibility.isHidden(named(8_193), who("ana"))).toBe(true)
    expect(judged).toBe(0)
    expect(await visibility.isHidden(named(8_192), who("ana"))).toBe(false)
  })

  it("I4: stays as it is when agents come and go, and people rename what they see", async () => {
    const { visibility, happens } = open(() => "allow")
    const before = visibility.changes(who("ana").session)
    for (const type of typesOf(null)) happens(type)
    expect(visibility.changes(who("ana").session)).toBe(before)
  })

  it("never counts back to where a judgement was made", () => {
    const { visibility, happens } = open(() => "allow")
    const { session } = who("eve")
    const seen = new Set([visibility.changes(session)])
    for (let times = 0; times < 3; times += 1) {
      happens("session.ended", sessionKey(session))
      seen.add(visibility.changes(session))
      happens("policy.changed")
      seen.add(visibility.changes(session))
    }
    expect(seen.size).toBe(7)
  })

  it("I3: is nothing while the gate cannot judge, and what it says once it can", async () => {
    let isBroken = true
    const { visibility } = open(() => {
      if (isBroken) throw new Error("gone")
      return "allow"
    })
    await expect(visibility.isHidden(target, who("ana"))).rejects.toThrow("gone")
    isBroken = false
    expect(await visibility.isHidden(target, who("ana"))).toBe(false)
  })
})
