import { describe, expect, it } from "vitest"
import { compilePolicy } from "./compile-policy.ts"
import { decide } from "./decide.ts"
import { indexGrants } from "./index-grants.ts"
import { emptyPolicy } from "./rule.ts"

describe("decide", () => {
  it("I7: an empty policy asks", () => {
    const session = { principal: "p", id: "s", named: true }
    const usage = { autoAllowedInSession: 0, autoAllowedInMinute: 0, writesInWindow: 0, coolDownUntil: null }
    const decision = decide(compilePolicy(emptyPolicy), indexGrants([]), {
      target: { server: "files", kind: "tool", name: "write_file" },
      args: {},
      tool: undefined,
      principal: { id: "p" },
      session,
      state: { mode: "ask", usage },
      now: 0,
    })
    expect(decision.effect).toBe("ask")
  })
})
