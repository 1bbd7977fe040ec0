import type { Approval, Run } from "@byleave/core"
import { expect, it } from "vitest"
import { callOf, type Engine, openEngine, yes } from "./open-engine.ts"

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

const write = callOf("files(write_file)", { path: "a" })
