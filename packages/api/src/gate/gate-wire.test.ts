import { describe, expect, it } from "vitest"
import { cancelBody, endBody, judgeBody, submitBody, toolsBody } from "./gate-wire.ts"

const from = { agent: "copilot", session: { id: "s1", named: true } }
const submission = { submission: "one", from, server: "files", tool: "write", args: {}, told: [] }

describe("what a gate elsewhere says", () => {
  it.each(["byleave", "Byleave", "BYLEAVE", "byl\u0435ave", "by\u200bleave", "byleave "])(
    "I1: is never about the server %s",
    (server) => {
      expect(submitBody.safeParse({ ...submission, server }).success).toBe(false)
      expect(toolsBody.safeParse({ server, tools: [] }).success).toBe(false)
    },
  )

  it("I2: names an agent and its session, and no principal, owner or other session beside them", () => {
    expect(submitBody.safeParse(submission).success).toBe(true)
    for (const more of [{ principal: "other:copilot" }, { owner: "ana" }, { token: "other" }]) {
      const forged = { ...from, ...more }
      const bodies = [
        submitBody.safeParse({ ...submission, from: forged }),
        submitBody.safeParse({ ...submission, ...more }),
        judgeBody.safeParse({ from: forged, targets: [] }),
        cancelBody.safeParse({ from: forged, approval: "a1" }),
        endBody.safeParse({ from: forged }),
        endBody.safeParse({ from: { ...from, session: { ...from.session, ...more } } }),
      ]
      expect(bodies.map(({ success }) => success)).toEqual(bodies.map(() => false))
    }
  })
})
