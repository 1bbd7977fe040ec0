import { type AgentRun, type RunStarter, runSession } from "@byleave/core"
import { newMemoryDatabase } from "@byleave/store"
import { expect, it } from "vitest"
import { ana, policyOf } from "../engine/open-engine.ts"
import { called, calls, givenModel, says } from "./given-model.ts"
import { answer, comesTo, openRuns, settled, type World } from "./open-runs.ts"

const ci: RunStarter = { kind: "runner", id: "ci", token: "1" }
const files = { server: "files", tool: "write" }
const { count } = policyOf([]).limits.denials

/** A model that writes once in each run, whatever it is told. */
const writes = () => {
  let asked = 0
  return givenModel(({ prompt }) => {
    const parts = prompt.at(-1)?.role === "user" ? calls(called(`w${asked++}`, "files__write", "{}")) : says("Done.")
    return new ReadableStream({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part)
        controller.close()
      },
    })
  })
}

async function begin(world: World, by: RunStarter): Promise<AgentRun> {
  const started = await world.runs.start({ messages: [{ role: "user", content: "write" }], servers: ["files"] }, by)
  if (!started.ok) throw new Error(started.refusal.code)
  return settled(world, started.run.id)
}

/** Denies what the run waits for, and removes it, as its starter may. Null: nobody was asked. */
async function denied(world: World, by: RunStarter): Promise<AgentRun | null> {
  const run = await begin(world, by)
  if (run.status !== "paused") return null
  await answer(world, run.requirements[0]?.approval ?? null, "deny")
  await comesTo(world, run.id, "finished")
  await world.runs.remove(run.id, by.id)
  world.clock.now += 1_000
  return run
}

it("a starter of ever new runs asks for a denied tool so often and no more, also with a new token and after a restart, until a person lifts it", async () => {
  const database = newMemoryDatabase()
  const world = await openRuns([], { model: writes(), database })
  let asked = 0
  while (asked < 100 && (await denied(world, ci)) !== null) asked += 1
  expect(asked).toBe(5 * count)
  await world.runs.close()
  const again = await openRuns([], { model: writes(), database, clock: world.clock })
  const refused = await begin(again, { ...ci, token: "2" })
  expect(refused.status).toBe("finished")
  const lines = await again.gate.journal(refused.id, 0)
  expect(lines.map(({ text }) => text).join()).toContain("also in new runs, until a person unblocks it")
  // Others of its kind, and people, may ask.
  expect((await begin(again, { kind: "runner", id: "other" })).status).toBe("paused")
  expect((await begin(again, { kind: "reviewer", id: "ci" })).status).toBe("paused")
  await again.gate.liftRefusals(runSession(refused), files, ana)
  expect((await begin(again, ci)).status).toBe("paused")
})

it("a block for all runs of a starter is lifted where it stands, too: their runs may be gone", async () => {
  const world = await openRuns([], { model: writes() })
  for (let n = 0; n < 5 * count; n++) await denied(world, ci)
  const { sessions } = await world.store.decisionState()
  const blocked = sessions.filter(({ refused }) => refused.length > 0)
  expect(blocked).toMatchObject([{ principal: "run", id: "started by runner ci" }])
  for (const { principal, id } of blocked) {
    await world.gate.liftRefusals({ principal, id, named: false }, files, ana)
  }
  expect((await begin(world, ci)).status).toBe("paused")
})
