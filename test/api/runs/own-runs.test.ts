/** Runs that a person's own runner token starts: somebody else must let their calls run. */
import { bindVerdict, type Client, createClient } from "@byleave/api"
import type { AgentRun } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { answerCall } from "../answer-call.ts"
import { sessionDisplayed } from "../as-displayed.ts"
import { codeOf, must, url } from "../open-service.ts"
import { openRunsService, type RunsService } from "./open-runs-service.ts"

const steps = [{ calls: [{ tool: "files(write)", args: { path: "a" } }] }, { say: "Done." }]
const { open, closeAll } = opening(openRunsService)
afterEach(closeAll)

/** Ana owns the token that starts the run; Ben owns none. */
async function paused(service: RunsService) {
  const [ana, ben] = [(await service.person("ana")).client, (await service.person("ben")).client]
  const { secret: token } = must(await ben.addToken({ body: { id: "ci", kind: "runner", owner: "ana" } }))
  const fetch = async (input: unknown, init?: RequestInit) => service.server.fetch(new Request(input as string, init))
  const program = createClient({ url, token, fetch })
  const run = must(await program.startRun({ body: { prompt: "write" } }))
  const call = run.pending_requirements[0]?.requirement_id ?? ""
  return { ana, ben, call, run: { id: run.run_id }, session: { principal: "run", id: run.run_id } }
}

/** The decision of a person who continues the run. */
async function continuing(client: Client, run: { readonly id: string }, call: string) {
  const view = must(await client.getApproval({ params: { id: call } }))
  const { digest } = await bindVerdict(view, { kind: "approve" })
  return client.continueRun({ params: run, body: [{ requirement_id: call, execute: true, digest }] })
}

/** The run as versions kept it that did not keep owners. */
async function withoutOwner({ store }: RunsService, id: string): Promise<void> {
  const run = await store.run(id)
  if (run === undefined) throw new Error(`There is no run ${id}.`)
  const { owner: _, ...startedBy } = run.startedBy
  const next: AgentRun = { ...run, startedBy, version: run.version + 1 }
  await store.commit({
    ...{ at: run.updatedAt, records: [], events: [], durability: "soon" },
    runs: [{ next, replaces: run.version }],
  })
}

const breadth = { kind: "pattern", server: "files", tool: "write" } as const
const modeOf = async (client: Client, session: { readonly principal: string; readonly id: string }) => ({
  body: { ...(await sessionDisplayed(client, session)), mode: "unattended" as const },
})

describe("the owner of a runner token", () => {
  it("I3 of identify: approves no call of its runs, neither in the inbox nor by continuing; another reviewer does", async () => {
    const service = await open(steps)
    const { ana, ben, call, run } = await paused(service)
    expect(codeOf(await answerCall(ana, call, { kind: "approve" }))).toBe("self-approval")
    expect(codeOf(await continuing(ana, run, call))).toBe("self-approval")
    expect(service.tools.dispatched).toEqual([])
    expect(must(await continuing(ben, run, call))).toMatchObject({ status: "finished" })
    expect(service.tools.dispatched).toHaveLength(1)
  })

  it("denies a call of its runs", async () => {
    const { ana, call } = await paused(await open(steps))
    expect(codeOf(await answerCall(ana, call, { kind: "deny" }))).toBe("ok")
  })

  it.each([
    { name: "a run", isOld: false },
    { name: "a run from before owners were kept", isOld: true },
  ])("I1: lets no more run in its runs, by a mode or by a grant: $name", async ({ isOld }) => {
    const service = await open(steps)
    const { ana, ben, session } = await paused(service)
    if (isOld) await withoutOwner(service, session.id)
    const grant = { body: { effect: "allow" as const, breadth, session } }
    expect(codeOf(await ana.setMode(await modeOf(ana, session)))).toBe("self-approval")
    expect(codeOf(await ana.addGrant(grant))).toBe("self-approval")
    expect(codeOf(await ben.addGrant(grant))).toBe("ok")
    expect(codeOf(await ben.setMode(await modeOf(ben, session)))).toBe("ok")
  })

  it("I2: lets no more run in all runs", async () => {
    const { ana, ben } = await paused(await open(steps))
    const grant = { body: { effect: "allow" as const, breadth, agent: "run" } }
    expect(codeOf(await ana.addGrant(grant))).toBe("self-approval")
    expect(codeOf(await ben.addGrant(grant))).toBe("ok")
  })

  it("answers the runs they start themselves, and lets more run in them", async () => {
    const service = await open(steps)
    const { ana } = await paused(service)
    const own = must(await ana.startRun({ body: { prompt: "write" } }))
    const session = { principal: "run", id: own.run_id }
    expect(codeOf(await ana.addGrant({ body: { effect: "allow", breadth, session } }))).toBe("ok")
    const call = own.pending_requirements[0]?.requirement_id ?? ""
    expect(codeOf(await answerCall(ana, call, { kind: "approve" }))).toBe("ok")
  })
})
