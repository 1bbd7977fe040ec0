import { describe, expect, it } from "vitest"
import { judge } from "./judge.ts"
import type { Check, SuiteResult } from "./run-suite.ts"

const result = (checks: Record<string, Check["status"]>): SuiteResult =>
  new Map([["ping", Object.entries(checks).map(([id, status]) => ({ id, status, why: "because" }))]])
const passed = result({ ping: "SUCCESS", schema: "SUCCESS" })
const known = { scenario: "ping", check: "schema", through: "FAILURE", reason: "no such word" } as const

describe("judge", () => {
  it("finds nothing where nothing differs", () => {
    expect(judge(passed, passed, [])).toEqual({ unexpected: [], stale: [], explained: [] })
  })

  it.each([
    { name: "a check that fails", through: result({ ping: "SUCCESS", schema: "FAILURE" }), status: "FAILURE" },
    { name: "a check that only warns", through: result({ ping: "SUCCESS", schema: "WARNING" }), status: "WARNING" },
    { name: "a check nobody made", through: result({ ping: "SUCCESS" }), status: "absent" },
  ])("reports $name", ({ through, status }) => {
    expect(judge(passed, through, []).unexpected).toMatchObject([
      { scenario: "ping", check: "schema", direct: "SUCCESS", through: status },
    ])
  })

  it("reports a scenario that was not run", () => {
    expect(judge(passed, new Map(), []).unexpected).toHaveLength(2)
  })

  it("reports a check that only the other side made", () => {
    expect(judge(result({ ping: "SUCCESS" }), passed, []).unexpected).toMatchObject([{ direct: "absent" }])
  })

  it("accepts what is explained, and nothing else of the same check", () => {
    const failed = judge(passed, result({ ping: "SUCCESS", schema: "FAILURE" }), [known])
    expect(failed).toMatchObject({ unexpected: [], stale: [], explained: [{ reason: "no such word" }] })
    const warned = judge(passed, result({ ping: "SUCCESS", schema: "WARNING" }), [known])
    expect(warned.unexpected).toHaveLength(1)
  })

  it("reports an explanation whose difference is gone", () => {
    expect(judge(passed, passed, [known]).stale).toEqual([known])
  })
})
