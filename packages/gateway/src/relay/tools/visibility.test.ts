import type { Decision, Effect, Gate, StoreEvent } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createVisibility } from "./visibility.ts"

const target = { server: "files", kind: "tool", name: "drop" } as const
const who = (principal: string, id = "s1") => ({
  principal: { id: principal },
  session: { principal, id, named: true },
})

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
  const happens = (type: StoreEvent["type"]): void => {
    for (const listener of listeners) listener({ type, subject: "", seq: 1, at: 0 })
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

  it.each(["policy.changed", "grant.changed", "definition.changed", "mode.changed"] as const)(
    "I2: is asked again after %s",
    async (type) => {
      let effect: Effect = "allow"
      const { visibility, happens, changes } = open(() => effect)
      expect(await visibility.isHidden(target, who("ana"))).toBe(false)
      effect = "hide"
      happens("approval.pending")
      expect(await visibility.isHidden(target, who("ana"))).toBe(false)
      happens(type)
      expect(await visibility.isHidden(target, who("ana"))).toBe(true)
      expect(changes()).toBe(type === "policy.changed" || type === "definition.changed" ? 1 : 0)
    },
  )

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
