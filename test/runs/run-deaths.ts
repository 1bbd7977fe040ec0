import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { verifyAudit } from "@byleave/core"
import { ed25519Signer, nodeHasher } from "@byleave/core/node"
import { readJournal } from "@byleave/runs"
import { expect } from "vitest"
import { startProgram } from "../faults/programs-talk.ts"
import { openFrom, type StoreSpec, scratchStore } from "../faults/store-spec.ts"
import { openWalker, walkedPaths, walkOn } from "./walk.ts"

/** Where a process dies: at the nth thing it writes, or while its nth call is at the server. */
export type Death =
  | { readonly at: "commit"; readonly nth: number; readonly phase: "before" | "during" | "after" }
  | { readonly at: "dispatch"; readonly nth: number }

const walker = fileURLToPath(new URL("./programs/walker.ts", import.meta.url))

/** Lets a process go on with the run until it dies or the run has ended; gives what it said at the end. */
async function walkUntil(spec: StoreSpec, death: Death | null, ahead: number): Promise<unknown> {
  const file = join(spec.dispatches, "..", "walker.json")
  writeFileSync(file, JSON.stringify({ spec, death, ahead }))
  const program = startProgram(walker, [file])
  let last: unknown = null
  for (let said = await program.next(); said !== null; said = await program.next()) last = said
  await program.ended
  return last
}

/** Several processes go on with one run at the same time, racing for every leg. */
export async function raceForLegs(kind: StoreSpec["kind"], processes: number): Promise<void> {
  const { spec, dispose } = scratchStore(kind)
  const file = join(spec.dispatches, "..", "walker.json")
  writeFileSync(file, JSON.stringify({ spec, death: null, ahead: 0, races: true }))
  const store = await openFrom(spec)
  const own = await openWalker({ store, spec, ahead: 0 })
  const rivals = Array.from({ length: processes }, () => startProgram(walker, [file]))
  for (const rival of rivals) expect(await rival.next()).toBe("ready")
  const walking = walkOn(own)
  await expect.poll(async () => (await own.gate.runs({ limit: 1 })).length).toBe(1)
  for (const rival of rivals) rival.go()
  const id = await walking
  await Promise.all(rivals.map((rival) => rival.ended))
  expect(await own.gate.run(id)).toMatchObject({ status: "finished", legs: 3, steps: 3 })
  const log = readFileSync(spec.dispatches, "utf8").trim().split("\n")
  expect(log.toSorted()).toEqual([...walkedPaths.map((path) => `call ${path}`), "asked 0", "asked 1", "asked 2"].sort())
  await own.runs.close()
  await own.gate.close()
  await store.close()
  dispose()
}

/** How many things a process writes when nobody dies. */
export async function countSteps(kind: StoreSpec["kind"]): Promise<number> {
  const { spec, dispose } = scratchStore(kind)
  const said = (await walkUntil(spec, null, 0)) as { commits: number }
  dispose()
  return said.commits
}

const oneMinute = 60_000

/** One run that is carried out by processes which die one after the other, then by one that lives. Gives how many died. */
export async function dieAndGoOn(kind: StoreSpec["kind"], deaths: readonly Death[]): Promise<number> {
  const { spec, dispose } = scratchStore(kind)
  let died = 0
  for (const [n, death] of deaths.entries()) {
    const last = await walkUntil(spec, death, n * oneMinute)
    if (typeof last !== "object" || last === null) died += 1
    await noteAnswers(spec)
  }
  const store = await openFrom(spec)
  const last = await openWalker({ store, spec, ahead: deaths.length * oneMinute })
  const id = await walkOn(last)
  const what = JSON.stringify(deaths)
  expect(await last.gate.run(id), what).toMatchObject({ status: "finished" })
  const { messages } = await readJournal(last.gate, id)
  expectOnce(spec, JSON.stringify(messages), what)
  await last.runs.close()
  await last.gate.close()
  const report = await verifyAudit(store, { hasher: nodeHasher, signer: ed25519Signer(spec.key) })
  expect(report.problems, what).toEqual([])
  await store.close()
  dispose()
  return died
}

/** Writes into the log how many answers the journal has: none of those may be asked for after. */
async function noteAnswers(spec: StoreSpec): Promise<void> {
  const store = await openFrom(spec)
  const [run] = await store.runs({ limit: 1 })
  const lines = run === undefined ? [] : await store.journal(run.id, { after: 0, maxBytes: 10_000_000 })
  await store.close()
  appendFileSync(spec.dispatches, `answered ${lines.filter(({ name }) => name.startsWith("answer ")).length}\n`)
}

/** Every call reached its server once, or never and was told as unknown; nothing was asked that had been answered. */
function expectOnce(spec: StoreSpec, told: string, what: string): void {
  const log = existsSync(spec.dispatches) ? readFileSync(spec.dispatches, "utf8").split("\n") : []
  const calls = log.filter((line) => line.startsWith("call "))
  expect(calls.length, `${what}: ${calls.join(", ")}`).toBe(new Set(calls).size)
  for (const call of calls) expect(walkedPaths, what).toContain(call.slice("call ".length))
  const done = walkedPaths.filter((path) => told.includes(`${path} done`))
  for (const path of done) expect(calls, what).toContain(`call ${path}`)
  const unknown = told.match(/It is not known whether this call ran/g)?.length ?? 0
  expect(done.length + unknown, `${what}: ${told}`).toBe(walkedPaths.length)
  let answered = 0
  for (const line of log) {
    const [word, number] = line.split(" ")
    if (word === "answered") answered = Number(number)
    if (word === "asked") expect(Number(number), `${what}: ${log.join(", ")}`).toBeGreaterThanOrEqual(answered)
  }
}

/** Every step in every phase, then deaths of those who take over, spread over the whole walk. */
export function plannedDeaths(steps: number, takeOvers: number): ReadonlyArray<readonly Death[]> {
  const plans: Array<readonly Death[]> = []
  for (let nth = 1; nth <= steps; nth++) {
    for (const phase of ["before", "during", "after"] as const) plans.push([{ at: "commit", nth, phase }])
  }
  for (let nth = 1; nth <= walkedPaths.length; nth++) plans.push([{ at: "dispatch", nth }])
  for (let n = 0; n < takeOvers; n++) {
    const first = 1 + ((n * 7) % steps)
    const second = 1 + ((n * 5) % 12)
    plans.push([
      { at: "commit", nth: first, phase: n % 2 === 0 ? "after" : "during" },
      n % 3 === 0 ? { at: "dispatch", nth: 1 } : { at: "commit", nth: second, phase: "after" },
    ])
  }
  return plans
}
