/** What is remembered: its level changed by people, and carried elsewhere as a file. */
import { afterEach, describe, expect, it } from "vitest"
import { ana, ben, callOf, holdCall } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { grantsDisplayed } from "./as-displayed.ts"
import { codeOf, must, openService, type TestService } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

async function open(store: "memory" | "sqlite" = "memory"): Promise<TestService> {
  return openOne({ store })
}

const breadth = { kind: "tool", server: "files", tool: "write" } as const
const session = { principal: "agent", id: "s1" }

describe.each(["memory", "sqlite"] as const)("a grant's level, with the %s store", (store) => {
  it("R128: is changed in one step, recorded as taken back and given anew by whoever changed it", async () => {
    const service = await open(store)
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    await holdCall(service.engine, callOf("files(write)"))
    const given = must(await ana.client.addGrant({ body: { effect: "allow", breadth, session } }))
    expect(given).toMatchObject({ version: 1, level: "AllowSession" })
    const digest = await grantsDisplayed(ben.client, { id: given.id })
    const body = { level: "DenyAlways", version: 1, digest } as const
    const { grant } = must(await ben.client.setGrantLevel({ params: { id: given.id }, body }))
    expect(grant).toMatchObject({ id: given.id, version: 2, level: "DenyAlways", effect: "deny", createdBy: "ben" })
    expect(grant).not.toHaveProperty("session")
    expect(must(await ana.client.listGrants()).items).toEqual([grant])
    const { items } = must(await ana.client.listAudit({ query: { types: "grant.created,grant.revoked" } }))
    expect(items.map(({ type, body: said }) => [type, said.id, said.by])).toEqual([
      ["grant.created", given.id, "ben"],
      ["grant.revoked", given.id, "ben"],
      ["grant.created", given.id, "ana"],
    ])
    expect(must(await ana.client.verifyAudit())).toMatchObject({ ok: true })
    expect(await service.engine.submit(callOf("files(write)", { other: 1 }))).toMatchObject({
      refusal: { code: "denied-by-grant" },
    })
  })

  it("may be given for one agent, in every session of it", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    expect(must(await client.addGrant({ body: { effect: "allow", breadth, agent: "agent" } }))).toMatchObject({
      agent: "agent",
    })
    expect(await service.engine.submit(callOf("files(write)"))).toMatchObject({ kind: "result" })
    const other = { principal: { id: "other" }, session: { principal: "other", id: "s9", named: true } }
    const { approval } = await holdCall(service.engine, { ...callOf("files(write)"), ...other })
    expect(approval.status).toBe("pending")
  })

  it("of what somebody changed meanwhile is a conflict that changes nothing; Ask forgets it", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    const { id } = must(await client.addGrant({ body: { effect: "allow", breadth } }))
    const set = async (level: "AllowOnce" | "DenyAlways" | "Ask", version: number) =>
      client.setGrantLevel({ params: { id }, body: { level, version, digest: await grantsDisplayed(client, { id }) } })
    must(await set("AllowOnce", 1))
    const before = must(await client.listGrants()).items
    for (const level of ["DenyAlways", "Ask"] as const) expect(codeOf(await set(level, 1))).toBe("conflict")
    expect(must(await client.listGrants()).items).toEqual(before)
    expect(must(await set("Ask", 2))).toEqual({ grant: null })
    expect(must(await client.listGrants()).items).toEqual([])
    expect(codeOf(await set("AllowOnce", 2))).toBe("not-found")
  })

  it("two who change it at once: one does, the other hears of it", async () => {
    const service = await open(store)
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    const { id } = must(await ana.client.addGrant({ body: { effect: "deny", breadth } }))
    const digest = await grantsDisplayed(ana.client, { id })
    const set = (who: typeof ana, level: "AllowOnce" | "AllowAlways") =>
      who.client.setGrantLevel({ params: { id }, body: { level, version: 1, digest } })
    const codes = (await Promise.all([set(ana, "AllowOnce"), set(ben, "AllowAlways")])).map(codeOf)
    expect(codes.sort()).toEqual(["conflict", "ok"])
    expect(must(await ana.client.listGrants()).items).toMatchObject([{ version: 2 }])
  })

  it("two who read it at the same moment: the second is judged by what the first made of it", async () => {
    const { engine, person } = await open(store)
    const { client } = await person("ana")
    const { id } = must(await client.addGrant({ body: { effect: "deny", breadth } }))
    const set = (reviewer: typeof ana, level: "AllowOnce" | "AllowAlways") =>
      engine.gate.setGrantLevel(id, { level, version: 1 }, reviewer)
    const answers = await Promise.all([set(ana, "AllowOnce"), set(ben, "AllowAlways")])
    expect(answers.map((answer) => (answer.ok ? "ok" : answer.code)).sort()).toEqual(["conflict", "ok"])
    const same = [{ effect: "deny", breadth: { ...breadth, tool: "move" } }] as const
    const added = await Promise.all([engine.gate.addGrants(same, ana), engine.gate.addGrants(same, ben)])
    expect(
      added
        .flat()
        .map((answer) => "known" in answer && answer.known)
        .sort(),
    ).toEqual([false, true])
    expect(must(await client.listGrants()).items).toHaveLength(2)
  })

  it("is for a session only where it names one", async () => {
    const { client } = await (await open(store)).person("ana")
    const { id } = must(await client.addGrant({ body: { effect: "allow", breadth } }))
    const digest = await grantsDisplayed(client, { id })
    const reply = await client.setGrantLevel({ params: { id }, body: { level: "AllowSession", version: 1, digest } })
    expect(codeOf(reply)).toBe("bad-request")
  })
})

describe("who may change a level", () => {
  it("a yes, or a no that is forgotten, needs somebody to be there; a no does not", async () => {
    const service = await open()
    const present = await service.person("ana")
    const { client } = await service.person("ana", { presence: false })
    const no = must(await present.client.addGrant({ body: { effect: "deny", breadth } }))
    const yes = must(
      await present.client.addGrant({ body: { effect: "allow", breadth: { ...breadth, tool: "read" } } }),
    )
    const set = async (id: string, level: "Ask" | "AllowOnce" | "DenyAlways") =>
      client.setGrantLevel({
        params: { id },
        body: { level, version: 1, digest: await grantsDisplayed(client, { id }) },
      })
    expect(codeOf(await set(no.id, "AllowOnce"))).toBe("presence-needed")
    expect(codeOf(await set(no.id, "Ask"))).toBe("presence-needed")
    expect(codeOf(await set(yes.id, "AllowOnce"))).toBe("presence-needed")
    expect(codeOf(await set(yes.id, "DenyAlways"))).toBe("ok")
  })

  it("nobody lets their own token do more by it", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    must(await ben.client.addToken({ body: { id: "anas", kind: "agent", owner: "ana", namesSessions: true } }))
    const no = must(await ben.client.addGrant({ body: { effect: "deny", breadth } }))
    const once = { level: "AllowOnce", version: 1, digest: await grantsDisplayed(ben.client, no) } as const
    expect(codeOf(await ana.client.setGrantLevel({ params: { id: no.id }, body: once }))).toBe("self-approval")
    expect(codeOf(await ana.client.importGrants({ body: fileOf([{ effect: "allow", breadth }]) }))).toBe(
      "self-approval",
    )
    expect(codeOf(await ben.client.setGrantLevel({ params: { id: no.id }, body: once }))).toBe("ok")
  })
})

type Entry = { effect: "allow" | "deny"; breadth: typeof breadth; until?: number; uses?: number; reason?: string }
const fileOf = (grants: readonly Entry[]) => ({ version: 1 as const, grants: [...grants] })

describe.each(["memory", "sqlite"] as const)("grants as a file, with the %s store", (store) => {
  it("R130: what is exported and imported elsewhere is the same; what is known already is not added again", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    await holdCall(service.engine, callOf("files(write)"))
    const until = service.clock.now + 60_000
    const when = [{ key: "path", op: "equals", value: { b: 1, a: [2] } }] as const
    const bodies = [
      { effect: "allow", breadth: { ...breadth, when: [...when] }, reason: "drafts" },
      { effect: "deny", breadth: { kind: "pattern", server: "*", tool: "delete_*" } },
      { effect: "allow", breadth: { kind: "reads", server: "files", tools: ["read", "list"] }, until },
      { effect: "allow", breadth: { kind: "server", server: "mail", access: "read" }, uses: 3 },
    ] as const
    for (const body of bodies) must(await client.addGrant({ body: body as never }))
    must(await client.addGrant({ body: { effect: "allow", breadth, session } }))
    const file = must(await client.exportGrants())
    expect(file.grants).toHaveLength(4)
    expect(file.grants).toEqual(expect.arrayContaining(bodies.map((body) => body)))

    const again = must(await client.importGrants({ body: file }))
    expect(again.results.map((result) => result.ok && result.known)).toEqual([true, true, true, true])

    const elsewhere = await open(store)
    const ben = await elsewhere.person("ben")
    const { results } = must(await ben.client.importGrants({ body: file }))
    expect(results.map((result) => result.ok && result.known)).toEqual([false, false, false, false])
    expect(must(await ben.client.exportGrants()).grants).toEqual(expect.arrayContaining(file.grants))
    const { items } = must(await ben.client.listAudit({ query: { types: "grant.created" } }))
    expect(items.map(({ body }) => body.by)).toEqual(["ben", "ben", "ben", "ben"])
  })

  it("R130: each grant has its own answer; one that could never be used is not added, and a double is known", async () => {
    const service = await open(store)
    const { client } = await service.person("ana")
    const past = { effect: "deny", breadth, until: service.clock.now - 1 } as const
    const body = fileOf([past, { effect: "deny", breadth }, { effect: "deny", breadth }])
    const { results } = must(await client.importGrants({ body }))
    expect(results).toMatchObject([
      { ok: false, why: expect.stringContaining("in the past") },
      { ok: true, known: false },
      { ok: true, known: true },
    ])
    expect(must(await client.listGrants()).items).toHaveLength(1)
  })

  it("a file that allows anything needs somebody to be there, as a whole; one that only denies does not", async () => {
    const service = await open(store)
    const { client } = await service.person("ana", { presence: false })
    const mixed = fileOf([
      { effect: "deny", breadth },
      { effect: "allow", breadth },
    ])
    expect(codeOf(await client.importGrants({ body: mixed }))).toBe("presence-needed")
    expect(must(await client.listGrants()).items).toEqual([])
    expect(codeOf(await client.importGrants({ body: fileOf([{ effect: "deny", breadth }]) }))).toBe("ok")
  })

  it.each([
    { name: "another version", body: { version: 2, grants: [] } },
    { name: "a session", body: { version: 1, grants: [{ effect: "allow", breadth, session }] } },
    { name: "somebody else's name", body: { version: 1, grants: [{ effect: "allow", breadth, createdBy: "ben" }] } },
    { name: "no list", body: { version: 1 } },
  ])("a file with $name is refused whole", async ({ body }) => {
    const { client } = await (await open(store)).person("ana")
    expect(codeOf(await client.importGrants({ body: body as never }))).toBe("bad-request")
  })
})
