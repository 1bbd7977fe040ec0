import type { Limits } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { callOf, type Engine, holdCall, openEngine, policyOf, rule } from "./open-engine.ts"

const minute = 60_000
const everything = [rule("allow", "files")]

function openLimited(limits: Partial<Limits>): Promise<Engine> {
  const policy = policyOf(everything)
  return openEngine({ ...policy, limits: { ...policy.limits, ...limits } })
}

/** The same agent in a session of its own making, as one gets by initialising anew. */
const inSession = (id: string, principal = "agent", tool = "files(write_file)") =>
  callOf(tool, { path: `/ws/${id}` }, { principal: { id: principal }, session: { principal, id, named: true } })

describe("an agent that opens new sessions", () => {
  it.each<{ readonly name: string; readonly limits: Partial<Limits>; readonly why: string }>([
    {
      name: "R158: runs no more unasked within a minute",
      limits: { autoAllowedPerMinute: 3 },
      why: "this agent has run as many calls unasked within a minute as the policy allows, all its sessions together",
    },
    {
      name: "R160: writes no more in bulk",
      limits: { bulk: { writes: 3, withinMs: minute } },
      why: "this agent wrote often within a short time, all its sessions together",
    },
  ])("$name", async ({ limits, why }) => {
    const engine = await openLimited(limits)
    for (const id of ["s1", "s2", "s3"]) expect((await engine.submit(inSession(id))).kind).toBe("result")
    const { approval } = await holdCall(engine, inSession("s4"))
    expect(approval.why).toContain(why)
    expect((await engine.submit(inSession("s1", "another"))).kind).toBe("result")
    engine.clock.now += 2 * minute
    expect((await engine.submit(inSession("s5"))).kind).toBe("result")
  })

  it("R158: passes no limit by a burst over many of them", async () => {
    const engine = await openLimited({ autoAllowedPerMinute: 3 })
    const burst = Array.from({ length: 10 }, (_, n) =>
      engine.gate.submit(inSession(`s${n}`), engine.run, { until: Promise.resolve() }),
    )
    const kinds = (await Promise.all(burst)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === "result")).toHaveLength(3)
    expect(engine.runs).toHaveLength(3)
  })

  it("R159: does not leave a cool-down behind", async () => {
    const after = [rule("ask", "files(delete_*)").target]
    const engine = await openLimited({ coolDown: { after, forMs: 5 * minute } })
    expect((await engine.submit(inSession("s1", "agent", "files(delete_file)"))).kind).toBe("result")
    const { approval } = await holdCall(engine, inSession("s2"))
    expect(approval.why).toContain("a sensitive call of this agent ran a short while ago")
    expect((await engine.submit(inSession("s1", "another"))).kind).toBe("result")
  })

  it("has no more calls waiting than its limit, however many come at once, and may again once one was answered", async () => {
    const policy = policyOf([])
    const engine = await openEngine({ ...policy, limits: { ...policy.limits, waitingPerPrincipal: 2 } })
    const burst = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        engine.gate.submit(inSession(`s${n}`), engine.run, { until: Promise.resolve() }),
      ),
    )
    expect(burst.filter(({ kind }) => kind === "ticket")).toHaveLength(2)
    const refusals = burst.flatMap((outcome) => (outcome.kind === "refusal" ? [outcome.refusal] : []))
    expect(refusals.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => "too-many-waiting"))
    expect(refusals[0]?.reason).toMatch(
      /^\d calls of this agent already wait for a person, all its sessions together; 2 may\./,
    )
    await holdCall(engine, inSession("s1", "another"))
    const [ticket] = burst.flatMap((outcome) => (outcome.kind === "ticket" ? [outcome.approval] : []))
    await engine.gate.cancel(ticket ?? "", "agent")
    await holdCall(engine, inSession("s9"))
  })

  it("R158: has a total per session as before: that limit says so", async () => {
    const engine = await openLimited({ autoAllowedPerSession: 1 })
    for (const id of ["s1", "s2"]) expect((await engine.submit(inSession(id))).kind).toBe("result")
    await holdCall(engine, inSession("s1"))
  })
})
