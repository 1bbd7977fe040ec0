import type { Approval, Call, Grant, Run } from "@byleave/core"
import { expect, it } from "vitest"
import { ana, callOf, type Engine, openEngine, policyOf, rule, yes } from "./open-engine.ts"

it.each([
  { name: "its agent withdraws", ends: ({ gate }: Engine, id: string) => gate.cancel(id, "agent") },
  { name: "a person stops its session", ends: ({ gate }: Engine) => gate.stopSession(write.session) },
])("I5: a call that waits to be sent is not sent once $name", async ({ ends }) => {
  const engine = await openEngine()
  const said: boolean[] = []
  const run: Run = async (args, { approval }) => {
    said.push(await engine.gate.mayStillRun(write, args, approval))
    await ends(engine, approval ?? "")
    said.push(await engine.gate.mayStillRun(write, args, approval))
    return { kind: "failed", error: "not sent" }
  }
  const { promise: held, resolve: onHeld } = Promise.withResolvers<Approval>()
  const outcome = engine.gate.submit(write, run, { onHeld })
  await engine.gate.answer(yes(await held))
  await outcome
  expect(said).toEqual([true, false])
})

it.each<{ name: string; change: (engine: Engine, grant: string) => Promise<unknown>; sent: boolean }>([
  { name: "is sent though something else changed", change: allowOther, sent: true },
  { name: "is not sent once that is revoked", change: ({ gate }, grant) => gate.revokeGrant(grant, ana), sent: false },
  { name: "is not sent once a rule denies it", change: ({ gate }) => gate.replacePolicy(denying, null), sent: false },
  { name: "is not sent once that has ended", change: async ({ clock }) => (clock.now += 60_000), sent: false },
])("I6: a call that took the last use of a permission $name", async ({ change, sent }) => {
  const engine = await openEngine()
  const { id } = await allowOnce(engine)
  const said: boolean[] = []
  const run: Run = async (args, { approval, grant }) => {
    await allowOther(engine)
    said.push(await engine.gate.mayStillRun(write, args, approval, { grant }))
    await change(engine, id)
    said.push(await engine.gate.mayStillRun(write, args, approval, { grant }))
    return { kind: "failed", error: "not sent" }
  }
  await engine.gate.submit(write, run)
  expect(said).toEqual([true, sent])
})

it("I6: no other call is sent by a use that is gone", async () => {
  const engine = await openEngine()
  const { id } = await allowOnce(engine)
  await engine.submit(write)
  await allowOther(engine)
  const may = (call: Call, grant?: string) => engine.gate.mayStillRun(call, call.args, null, { grant })
  expect(await may(write)).toBe(false)
  expect(await may(callOf("files(delete_file)"), id)).toBe(false)
  expect(await may(callOf("files(write_file)", {}, { principal: { id: "agent" }, session: other }), id)).toBe(false)
  expect(engine.runs).toHaveLength(1)
})

const other = { principal: "agent", id: "s2", named: true } as const
const denying = policyOf([rule("deny", "files(write_*)")])

function allowOnce({ gate, clock }: Engine) {
  const breadth = { kind: "tool", server: "files", tool: "write_file" } as const
  const { session } = write
  return gate.addGrant({ effect: "allow", breadth, uses: 1, until: clock.now + 60_000, session }, ana) as Promise<Grant>
}

function allowOther({ gate }: Engine): Promise<unknown> {
  return gate.addGrant({ effect: "allow", breadth: { kind: "tool", server: "other", tool: "x" } }, ana)
}

const write = callOf("files(write_file)", { path: "a" })
