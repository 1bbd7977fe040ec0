import { type AgentRun, type RunStarter, runSummaryOf } from "@byleave/core"
import { expect, it } from "vitest"
import { findRun } from "./find-run.ts"
import type { FrontPorts } from "./front-ports.ts"

const starter: RunStarter = { kind: "runner", id: "ci", token: "1" }

const run = (id: string, thread: string, more: Partial<AgentRun> = {}): AgentRun =>
  ({
    ...{ id, status: "finished", startedBy: starter, createdAt: 1, title: "t" },
    setup: { model: "m", servers: [], maxSteps: 1, instructions: "i".repeat(1_000), metadata: { thread } },
    ...more,
  }) as AgentRun

/** Fifty runs, of which one is looked for; tells which were read whole, and how many turns were taken. */
async function look(wanted: { thread?: string; ids?: readonly string[] }, more: readonly AgentRun[] = []) {
  const all = [...more, ...Array.from({ length: 50 }, (_, at) => run(`r${at}`, `thread ${at}`))]
  const read: string[] = []
  let turns = 0
  const ports = {
    runs: {
      get: async (id: string) => {
        read.push(id)
        return all.find((each) => each.id === id)
      },
    },
    gate: { runs: async ({ limit }: { limit: number }) => all.slice(0, limit).map(runSummaryOf) },
    readInTurn: async (_: number, work: () => Promise<unknown>) => {
      turns += 1
      return work()
    },
  } as unknown as FrontPorts
  const caller = { starter, convey: async () => ({ ok: true }) as const }
  const found = await findRun(ports, caller, { thread: wanted.thread, ids: wanted.ids ?? [] })
  return { found: found?.id, read, turns }
}

it("finds a run by its id, by an id in its messages, or by the page's name for the conversation", async () => {
  expect(await look({ thread: "r7" })).toMatchObject({ found: "r7", read: ["r7"] })
  expect(await look({ thread: "nope", ids: ["r9"] })).toMatchObject({ found: "r9" })
  expect(await look({ thread: "thread 42" })).toMatchObject({ found: "r42" })
})

it("I1: takes one turn of its caller for what it reads", async () => {
  expect(await look({ thread: "nope" })).toMatchObject({ found: undefined, turns: 1 })
})

it("I2: reads no run whole for a name that none has, and one for a name that one has", async () => {
  expect((await look({ thread: "nope" })).read).toEqual(["nope"])
  expect((await look({ thread: "thread 42" })).read).toEqual(["thread 42", "r42"])
})

it("I2: reads one run for a long name whose beginning several have, and takes no other for it", async () => {
  const long = "l".repeat(300)
  const others = ["a", "b", "c"].map((end) => run(end, long + end))
  expect(await look({ thread: `${long}a` }, others)).toMatchObject({ found: "a", read: [`${long}a`, "a"] })
  expect(await look({ thread: `${long}z` }, others)).toMatchObject({ found: undefined, read: [`${long}z`, "a"] })
})

it("takes no run of another token of that name", async () => {
  const earlier = run("old", "mine", { startedBy: { ...starter, token: "0" } })
  expect(await look({ thread: "mine" }, [earlier, run("new", "mine")])).toMatchObject({ found: "new" })
  expect(await look({ thread: "mine" }, [earlier])).toMatchObject({ found: undefined })
})
