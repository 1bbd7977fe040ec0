/** Programs that end their sessions, and name them again. */
import { type Session, scopeOf } from "@byleave/core"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ana, callOf, type Engine, holdCall, nay, openEngine, policyOf, rule } from "./open-engine.ts"

const breadth = { kind: "server", server: "files", access: "all" } as const
const own: Session = { principal: "p:agent", id: "p:agent", named: false }
const named: Session = { principal: "p:agent", id: "s1", named: true }
const other: Session = { principal: "p:agent", id: "s2", named: true }

const calling = (session: Session, tool: string) =>
  callOf(`files(${tool})`, {}, { principal: { id: session.principal }, session })

/** Reads run, writes ask. */
const open = () => openEngine(policyOf([rule("allow", "files(read)")]))

type Restriction = {
  readonly restrict: (engine: Engine, session: Session) => Promise<unknown>
  readonly tool: string
  readonly code: string
}

const restrictions: Readonly<Record<string, Restriction>> = {
  "a denial": {
    restrict: (engine, session) => engine.gate.addGrant({ effect: "deny", breadth, session }, ana),
    tool: "read",
    code: "denied-by-grant",
  },
  "too many denials": {
    restrict: async (engine, session) => {
      for (let n = 0; n < 3; n++) {
        const { approval, outcome } = await holdCall(engine, calling(session, "write"))
        await engine.gate.answer(nay(approval))
        await outcome
      }
    },
    tool: "write",
    code: "denied-too-often",
  },
  "that nobody is there": {
    restrict: (engine, session) => engine.gate.setMode(session, "unattended", { reviewer: ana }),
    tool: "write",
    code: "unattended",
  },
}

describe("a session that its program ends and names again", () => {
  it.each(Object.entries(restrictions))("keeps %s, whatever is ended and in which order", async (_, of) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(own, named),
        fc.array(fc.constantFrom(own, named, other), { minLength: 1, maxLength: 5 }),
        async (session, ends) => {
          const engine = await open()
          await of.restrict(engine, session)
          const refused = { kind: "refusal", refusal: { code: of.code } }
          for (const ended of ends) {
            await engine.gate.endSession({ ...ended, named: true })
            expect(await engine.submit(calling(session, of.tool))).toMatchObject(refused)
          }
          const { epoch } = await engine.store.decisionState()
          for (const ended of ends) await engine.gate.endSession(ended)
          expect((await engine.store.decisionState()).epoch).toBe(epoch)
          expect(engine.runs).toEqual([])
        },
      ),
      { numRuns: 15 },
    )
  })

  it("loses what was allowed in it, its modes but the one without questions, and what waits", async () => {
    for (const session of [own, named]) {
      const engine = await open()
      await engine.gate.addGrant({ effect: "allow", breadth: { ...breadth, access: "write" }, session }, ana)
      await engine.gate.addGrant(
        { effect: "deny", breadth: { kind: "tool", server: "files", tool: "drop" }, session },
        ana,
      )
      await engine.gate.setMode(session, "autonomous", { reviewer: ana })
      await engine.gate.endSession(session)
      expect((await engine.gate.grants()).map(({ effect }) => effect)).toEqual(["deny"])
      const { outcome } = await holdCall(engine, calling(session, "write"))
      await engine.gate.endSession(session)
      expect(await outcome).toMatchObject({ refusal: { code: "cancelled" } })
    }
  })

  it("is over once the time without questions is", async () => {
    const engine = await open()
    await engine.gate.setMode(named, "unattended", { reviewer: ana, until: engine.clock.now + 1_000 })
    await engine.gate.endSession(named)
    expect(await engine.store.session(named)).toMatchObject({ mode: "unattended", endedAt: null })
    engine.clock.now += 1_000
    await engine.gate.endSession(named)
    expect(await engine.store.session(named)).toMatchObject({ mode: "ask", endedAt: engine.clock.now })
  })

  it("is forgotten by a person who ends it, but not what is denied to the agent", async () => {
    const engine = await open()
    for (const session of [own, named]) {
      await engine.gate.addGrant({ effect: "deny", breadth, session }, ana)
      await engine.gate.setMode(session, "unattended", { reviewer: ana })
      await engine.gate.stopSession(session)
      expect(await engine.store.session(session)).toMatchObject({ mode: "ask", endedAt: engine.clock.now })
    }
    expect((await engine.gate.grants()).map(scopeOf)).toMatchObject([{ agent: "p:agent" }])
  })
})

it("what a person lifted for the agent stays lifted when a program ends the agent's own session", async () => {
  const engine = await open()
  const { "too many denials": often } = restrictions
  await often?.restrict(engine, own)
  await engine.gate.liftRefusals(own, { server: "files", tool: "write" }, ana)
  await engine.gate.endSession(own)
  const { approval, outcome } = await holdCall(engine, calling(own, "write"))
  engine.clock.now += 1
  await engine.gate.answer(nay(approval))
  await outcome
  await holdCall(engine, calling(own, "write"))
})

it("a no for a session that is only the agent holds in all its sessions; a yes keeps to it", async () => {
  const engine = await open()
  await engine.gate.addGrant({ effect: "allow", breadth: { ...breadth, access: "write" }, session: own }, ana)
  await holdCall(engine, calling(named, "write"))
  await engine.gate.addGrant({ effect: "deny", breadth, session: own }, ana)
  for (const session of [own, named, other])
    expect(await engine.submit(calling(session, "read"))).toMatchObject({ refusal: { code: "denied-by-grant" } })
  expect((await engine.submit(calling({ ...own, principal: "p:b" }, "read"))).kind).toBe("result")
})
