/** A permission "for this agent" that is saved with the answer to a run's call: whose runs it serves, and who may save it. */
import { type Client, createClient } from "@byleave/api"
import type { Approval } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { opening } from "../../opening.ts"
import { answerCall } from "../answer-call.ts"
import { codeOf, must, url } from "../open-service.ts"
import { openRunsService, type RunsService } from "./open-runs-service.ts"

const script = [{ calls: [{ tool: "files(write)", args: { path: "a" } }] }, { say: "Done." }]
const breadth = { kind: "tool", server: "files", tool: "write" } as const
const forAgent = { kind: "approve", remember: { scope: "agent", breadth } } as const

const { open, closeAll } = opening(openRunsService)
afterEach(closeAll)

async function startAndWait(program: Client, ada: Client) {
  const { run_id: id } = must(await program.startRun({ body: { prompt: "write" } }))
  const { items } = must(await ada.listApprovals({ query: { session: id, status: "pending" } }))
  return items[0]
}

async function ownedRunner(service: RunsService, ada: Client, name: string, owner: string): Promise<Client> {
  const { secret } = must(await ada.addToken({ body: { id: name, kind: "runner", owner } }))
  const fetch = async (input: unknown, init?: RequestInit) => service.server.fetch(new Request(input as string, init))
  return createClient({ url, token: secret, fetch })
}

/** The call as versions held it that did not keep starters. */
async function withoutStarter({ store }: RunsService, id: string): Promise<void> {
  const held = await store.approval(id)
  if (held === undefined) throw new Error(`There is no call ${id}.`)
  const { starter: _, ...kept } = held
  const next = { ...kept, version: held.version + 1 } as Approval
  const change = { at: held.createdAt, records: [], events: [], durability: "soon" } as const
  await store.commit({ ...change, approvals: [{ next, replaces: held.version }] })
}

describe("a permission saved for the agent of a run", () => {
  it("serves the runs of whoever started it, says so, and lets no other program's run go unasked", async () => {
    const service = await open(script)
    const { client: ada } = await service.person("ada")
    const [ci, stranger] = [await service.runner("ci"), await service.runner("stranger")]
    const waits = await startAndWait(ci, ada)
    expect(waits).toMatchObject({ starter: "runner ci" })
    const { grant } = must(await answerCall(ada, waits?.id ?? "", forAgent))
    expect(grant).toMatchObject({ agent: "run", starter: "runner ci" })
    expect(grant?.words).toBe('For runs started by the token "ci", always allow files(write)')
    await expect.poll(() => service.tools.dispatched.length).toBe(1)
    expect(await startAndWait(stranger, ada)).toBeDefined()
    expect(await startAndWait(ada, ada)).toBeDefined()
    expect(service.tools.dispatched).toHaveLength(1)
    expect(await startAndWait(ci, ada)).toBeUndefined()
    expect(service.tools.dispatched).toHaveLength(2)
  })

  it("from before starters were kept goes on serving all runs, and says so", async () => {
    const service = await open(script)
    const { client: ada } = await service.person("ada")
    const grant = must(await ada.addGrant({ body: { effect: "allow", agent: "run", breadth } }))
    expect(grant.words).toBe("For all agent runs, whoever starts them, always allow files(write)")
    expect(await startAndWait(await service.runner("ci"), ada)).toBeUndefined()
    expect(await startAndWait(await service.runner("stranger"), ada)).toBeUndefined()
  })

  it("self-approval I3: is not saved by the owner of the token whose runs it serves, whichever way they try", async () => {
    const service = await open(script)
    const { client: ada } = await service.person("ada")
    const { client: ben } = await service.person("ben")
    const mine = await ownedRunner(service, ada, "mine", "ben")
    const ci = await service.runner("ci")
    const own = await startAndWait(mine, ada)
    expect(codeOf(await answerCall(ben, own?.id ?? "", forAgent))).toBe("self-approval")
    const added = { effect: "allow", agent: "run", breadth } as const
    expect(codeOf(await ben.addGrant({ body: added }))).toBe("self-approval")
    expect(codeOf(await ben.addGrant({ body: { ...added, starter: "runner mine" } }))).toBe("self-approval")
    const waits = await startAndWait(ci, ada)
    must(await answerCall(ben, waits?.id ?? "", forAgent))
    expect(await startAndWait(mine, ada)).toBeDefined()
    expect(await startAndWait(ci, ada)).toBeUndefined()
  })

  it("self-approval I3: nor for all runs, with the answer to a call from before starters were kept", async () => {
    const service = await open(script)
    const [{ client: ada }, { client: ben }] = [await service.person("ada"), await service.person("ben")]
    await ownedRunner(service, ada, "mine", "ben")
    const waits = await startAndWait(await service.runner("ci"), ada)
    await withoutStarter(service, waits?.id ?? "")
    expect(codeOf(await answerCall(ben, waits?.id ?? "", forAgent))).toBe("self-approval")
    const { grant } = must(await answerCall(ada, waits?.id ?? "", forAgent))
    expect(grant?.words).toBe("For all agent runs, whoever starts them, always allow files(write)")
  })

  it("names a starter only with the principal of runs", async () => {
    const service = await open(script)
    const { client: ada } = await service.person("ada")
    const body = { effect: "allow", breadth, starter: "runner ci" } as const
    expect(codeOf(await ada.addGrant({ body }))).toBe("bad-request")
    expect(codeOf(await ada.addGrant({ body: { ...body, agent: "laptop" } }))).toBe("bad-request")
  })
})
