import { bindVerdict } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, holdCall, policyOf, rule } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { answerCall } from "./answer-call.ts"
import { codeOf, must, openService } from "./open-service.ts"

const { open, closeAll } = opening(openService)
afterEach(closeAll)

describe("R37: suggestions", () => {
  it("come from what people answered alike, and name the calls they rest on", async () => {
    const service = await open({ policy: policyOf([rule("ask", "files(purge)", { remember: "never" })]) })
    await service.engine.gate.seeTools("files", [{ name: "write" }, { name: "purge" }])
    const { client } = await service.person("ana")
    const answer = async (tool: string, path: string, kind: "approve" | "deny") => {
      const session = { principal: "agent", id: `session of ${path}`, named: true }
      const { approval, outcome } = await holdCall(service.engine, callOf(tool, { path }, { session }))
      must(await answerCall(client, approval.id, { kind }))
      await outcome
      return approval.id
    }
    const ids: string[] = []
    for (const name of ["a", "b", "c"]) ids.push(await answer("files(write)", `/home/me/notes/${name}.md`, "approve"))
    for (const name of ["a", "b", "c"]) await answer("files(purge)", `/home/me/notes/${name}`, "deny")
    const { items } = must(await client.suggestRules())
    expect(items).toMatchObject([{ effect: "allow", approved: 3, denied: 0 }])
    expect(items[0]?.words).toBe(
      'Allow files(write) for agents named agent when path is directly in "/home/me/notes" and path matches "*.md" and no argument looks sensitive and no arguments but path are given',
    )
    expect(items[0]?.evidence.toSorted()).toEqual(ids.toSorted())
  })

  it("name the waiting calls they are about, and leave out answers to many calls at once", async () => {
    const service = await open()
    await service.engine.gate.seeTools("files", [{ name: "write" }])
    const { client } = await service.person("ana")
    const hold = (name: string) => {
      const session = { principal: "agent", id: `session of ${name}`, named: true }
      return holdCall(service.engine, callOf("files(write)", { path: `/home/me/notes/${name}.md` }, { session }))
    }
    const together = await Promise.all(["a", "b", "c"].map(hold))
    const verdicts = await Promise.all(
      together.map(async ({ approval: { id } }) => {
        const shown = must(await client.getApproval({ params: { id } }))
        return { approval: id, ...(await bindVerdict(shown, { kind: "approve" })) }
      }),
    )
    must(await client.giveVerdicts({ body: { verdicts } }))
    expect(must(await client.suggestRules())).toMatchObject({ items: [], week: { asked: 3, approved: 3, saved: 0 } })
    for (const name of ["d", "e", "f"])
      must(await answerCall(client, (await hold(name)).approval.id, { kind: "approve" }))
    const waiting = await hold("g")
    const { items, week } = must(await client.suggestRules())
    expect(items).toMatchObject([{ approved: 3, sessions: 3, waiting: [waiting.approval.id] }])
    expect(items[0]?.also.toSorted()).toEqual(together.map(({ approval }) => approval.id).toSorted())
    expect(week).toMatchObject({ asked: 6, saved: 6, tools: [{ tool: { server: "files", tool: "write" }, asked: 6 }] })
  })
})

describe("suggestions that every open card asks for", () => {
  it("are worked out once, until a call is answered or a call waits", async () => {
    const reads: string[] = []
    const service = await open({ onApproval: (id) => reads.push(id) })
    await service.engine.gate.seeTools("files", [{ name: "write" }])
    const { client } = await service.person("ana")
    const answer = async (name: string) => {
      const session = { principal: "agent", id: `session of ${name}`, named: true }
      const { approval, outcome } = await holdCall(
        service.engine,
        callOf("files(write)", { path: `/n/${name}` }, { session }),
      )
      must(await answerCall(client, approval.id, { kind: "approve" }))
      await outcome
    }
    for (const name of ["a", "b", "c"]) await answer(name)
    reads.length = 0
    const asked = await Promise.all(Array.from({ length: 10 }, () => client.suggestRules()))
    expect(new Set(asked.map((one) => JSON.stringify(must(one)))).size).toBe(1)
    must(await client.suggestRules())
    expect(reads).toHaveLength(3)
    await answer("d")
    reads.length = 0
    expect(must(await client.suggestRules()).week.asked).toBe(4)
    expect(reads).toHaveLength(4)
    // Weeks end without anybody's doing.
    service.clock.now += 8 * 24 * 60 * 60_000
    expect(must(await client.suggestRules()).week.asked).toBe(0)
  })
})

describe("a service without a configuration file", () => {
  it("says so, and refuses to try out or save a text", async () => {
    const { client } = await (await open()).person("ana")
    expect(must(await client.getPolicyText())).toMatchObject({ text: null, why: expect.any(String) })
    expect(codeOf(await client.previewPolicy({ body: { text: "version: 1" } }))).toBe("unavailable")
    expect(codeOf(await client.savePolicy({ body: { text: "version: 1", version: "" } }))).toBe("unavailable")
  })
})

describe("a server", () => {
  const health = { state: "idle", era: null, lastConnectedAt: null, lastError: null, retryAt: null, links: 0 } as const
  const transport = { kind: "stdio", command: "files", args: [], env: new Map(), cwd: "/" } as const
  const servers = [{ id: "files", transport, health, stopped: false, tools: [] }]

  it("R144: what others say of a server is shown with it, and lets nothing run", async () => {
    const reputation = { state: "signed", by: "everybody", says: "Allow everything of it." } as const
    const service = await open({ servers: servers.map((server) => ({ ...server, reputation })) })
    const { client } = await service.person("ana")
    expect(must(await client.getServer({ params: { id: "files" } })).reputation).toEqual(reputation)
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    expect(approval.status).toBe("pending")
  })

  it("is stopped without anybody being there, and every page is told; starting it needs somebody", async () => {
    const service = await open({ servers })
    const { client } = await service.person("ana", { presence: false })
    const told: string[] = []
    const stop = service.store.subscribe(({ type, subject }) => told.push(`${type} ${subject}`))
    expect(codeOf(await client.stopServer({ params: { id: "files" } }))).toBe("ok")
    expect(codeOf(await client.startServer({ params: { id: "files" } }))).toBe("presence-needed")
    await expect.poll(() => told).toContain("server.changed files")
    stop()
  })
})
