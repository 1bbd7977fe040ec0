/** What was called, decided and answered, as people look it up afterwards. */
import type { CallView } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { ben, callOf, holdCall, nay, policyOf, rule, yes } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { codeOf, must, openService, type Person, type TestService } from "./open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const policy = policyOf([
  rule("allow", "files(read)"),
  rule("deny", "files(move)", { reason: "Moves are done by hand." }),
  rule("hide", "*(admin)"),
])

async function open(store: "memory" | "sqlite" = "memory"): Promise<{ service: TestService; ana: Person }> {
  const service = await openOne({ policy, store })
  return { service, ana: await service.person("ana") }
}

type Query = NonNullable<NonNullable<Parameters<Person["client"]["listCalls"]>[0]>["query"]>

async function listed({ client }: Person, query: Query = {}): Promise<readonly CallView[]> {
  return must(await client.listCalls({ query })).items
}

/** Every page, each as small as asked for. */
async function paged({ client }: Person, query: Query): Promise<readonly string[]> {
  const ids: string[] = []
  let after: string | undefined
  for (;;) {
    const page = must(await client.listCalls({ query: { ...query, ...(after === undefined ? {} : { after }) } }))
    ids.push(...page.items.map(({ id }) => id))
    if (page.next === null) return ids
    after = page.next
  }
}

/** One call of each kind, a second apart, oldest first. */
async function everyKind({ engine, clock }: TestService): Promise<void> {
  const tick = (): void => {
    clock.now += 1_000
  }
  await engine.submit(callOf("files(read)", { path: "a" }))
  tick()
  await engine.submit(callOf("files(move)", { path: "a" }))
  tick()
  await engine.submit(callOf("files(admin)"))
  tick()
  const approved = await holdCall(engine, callOf("files(write)", { path: "b", password: "hunter2 hunter2" }))
  tick()
  await engine.gate.answer(yes(approved.approval))
  await approved.outcome
  tick()
  const denied = await holdCall(engine, callOf("mail(send)", {}, other))
  clock.now += 9_000
  await engine.gate.answer(nay(denied.approval, ben))
  tick()
  await holdCall(engine, callOf("files(write)", { path: "c" }))
}

const other = { principal: { id: "other" }, session: { principal: "other", id: "s2", named: true } } as const

describe.each(["memory", "sqlite"] as const)("calls, with the %s store", (store) => {
  it.each([
    { text: "admi", tools: ["admin"] },
    { text: "OTHER", tools: ["send"] },
    { text: "done by hand", tools: ["move"] },
    { text: "b wri", tools: ["write"], args: true },
    { text: "hunter2", tools: [] },
    { text: "files nowhere", tools: [] },
  ])(
    "R148: `$text` finds calls by parts of the words of tool, agent, arguments and reasons",
    async ({ text, tools, args }) => {
      const { service, ana } = await open(store)
      await everyKind(service)
      const found = await listed(ana, { text, ...(args === true ? { outcome: "succeeded" } : {}) })
      expect(found.map(({ tool }) => tool.tool)).toEqual(tools)
    },
  )

  it("R148 R149: every judged call is listed, newest first, with its decision and what became of it", async () => {
    const { service, ana } = await open(store)
    await everyKind(service)
    const calls = await listed(ana)
    expect(
      calls.map(({ tool, effect, outcome, decidedBy, allowedBy }) => [
        tool.tool,
        effect,
        outcome,
        decidedBy,
        allowedBy,
      ]),
    ).toEqual([
      ["write", "ask", "waiting", null, null],
      ["send", "ask", "denied", "ben", null],
      ["write", "ask", "succeeded", "ana", null],
      ["admin", "hide", "refused", null, null],
      ["move", "deny", "refused", null, null],
      ["read", "allow", "succeeded", null, "rule"],
    ])
    expect(calls[1]).toMatchObject({ decidedAfterMs: 9_000, tookMs: null, session: { principal: "other", id: "s2" } })
    expect(calls[2]).toMatchObject({
      ...{ decidedAfterMs: 1_000, tookMs: 0 },
      preview: [
        { name: "path", text: "b" },
        { name: "password", text: "hidden" },
      ],
    })
    expect(calls[4]).toMatchObject({
      why: expect.stringContaining("by hand"),
      rule: expect.stringContaining("files(move)"),
    })
    expect(calls[2]?.approval).toBe(calls[2]?.id)
    expect(calls[5]?.approval).toBeNull()
    expect(JSON.stringify(calls)).not.toContain("hunter2")
  })

  it.each([
    { name: "decision", query: { effect: "allow,hide" }, tools: ["admin", "read"] },
    { name: "outcome", query: { outcome: "succeeded" }, tools: ["write", "read"] },
    { name: "outcome of held calls", query: { outcome: "denied,waiting" }, tools: ["write", "send"] },
    { name: "server", query: { server: "mail" }, tools: ["send"] },
    { name: "tool", query: { server: "files", tool: "write" }, tools: ["write", "write"] },
    { name: "principal", query: { principal: "other" }, tools: ["send"] },
    { name: "session", query: { session: "s1", effect: "ask" }, tools: ["write", "write"] },
    { name: "who decided", query: { decidedBy: "ben" }, tools: ["send"] },
    { name: "how long that took", query: { decidedFromMs: 5_000, decidedToMs: 9_000 }, tools: ["send"] },
    { name: "a refusal of policy", query: { code: "denied-by-rule" }, tools: ["move"] },
    { name: "a refusal of a person", query: { code: "denied-by-reviewer" }, tools: ["send"] },
    { name: "a code nobody has", query: { code: "__proto__" }, tools: [] },
    { name: "decision and outcome that exclude each other", query: { effect: "deny", outcome: "waiting" }, tools: [] },
    { name: "time", query: { since: 1_800_000_001_000, until: 1_800_000_003_000 }, tools: ["admin", "move"] },
  ])("R148: are found by $name", async ({ query, tools }) => {
    const { service, ana } = await open(store)
    await everyKind(service)
    expect((await listed(ana, query as Query)).map(({ tool }) => tool.tool)).toEqual(tools)
    expect(await paged(ana, { ...(query as Query), limit: 1 })).toHaveLength(tools.length)
  })

  it("pages lose and repeat nothing while new calls arrive", async () => {
    const { service, ana } = await open(store)
    const submit = (at: number) => service.engine.submit(callOf(at % 3 === 0 ? "files(move)" : "files(read)", { at }))
    for (let at = 0; at < 25; at++) await submit(at)
    const before = (await listed(ana)).map(({ id }) => id)
    const first = must(await ana.client.listCalls({ query: { limit: 7 } }))
    for (let at = 0; at < 10; at++) await submit(at)
    const rest = await paged(ana, { limit: 7, after: first.next ?? "" })
    expect([...first.items.map(({ id }) => id), ...rest]).toEqual(before)
    const denied = await paged(ana, { effect: "deny", server: "files", limit: 2 })
    expect(new Set(denied).size).toBe(13)
  })

  it("what is looked for far back is found page by page, none of which reads everything", async () => {
    const { service, ana } = await open(store)
    await service.engine.submit(callOf("mail(admin)"))
    const [needle] = await listed(ana)
    const record = (subject: string) => {
      const body = { principal: "agent", session: "s1", server: "files", tool: "read", kind: "tool", because: "rule" }
      const more = { rule: null, grant: null, reason: "", refusal: null }
      return { type: "call.allowed", subject, step: 0, at: service.clock.now, body: { ...body, ...more } } as const
    }
    service.clock.now += 1
    const many = Array.from({ length: 10_500 }, (_, at) => record(`many${at}`))
    await service.store.commit({ at: service.clock.now, records: many, events: [], durability: "soon" })
    const first = must(await ana.client.listCalls({ query: { server: "mail" } }))
    expect(first).toMatchObject({ items: [], next: expect.any(String), lookedTo: service.clock.now })
    const second = must(await ana.client.listCalls({ query: { server: "mail", after: first.next ?? "" } }))
    expect(second).toMatchObject({ items: [{ id: needle?.id }], next: null, lookedTo: null })
  })

  it("R148: a call's whole story is on one page, by its id or its approval's", async () => {
    const { service, ana } = await open(store)
    await everyKind(service)
    const [held] = await listed(ana, { decidedBy: "ana" })
    const story = must(await ana.client.getCall({ params: { id: held?.approval ?? "" } }))
    expect(story.records.map(({ type }) => type)).toEqual([
      "call.asked",
      "approval.approved",
      "run.started",
      "run.succeeded",
    ])
    expect(story.call).toMatchObject({ ...held, argsAreWhole: true })
    expect(story.approval).toMatchObject({ id: held?.id, status: "succeeded" })
    const [read] = await listed(ana, { effect: "allow" })
    const allowed = must(await ana.client.getCall({ params: { id: read?.id ?? "" } }))
    expect(allowed.records.map(({ type }) => type)).toEqual(["call.allowed", "run.succeeded"])
    expect(allowed.approval).toBeNull()
    for (const id of ["nobody", "__proto__"])
      expect(codeOf(await ana.client.getCall({ params: { id } }))).toBe("not-found")
  })

  it("R150: counts a week, and answers given after the time that is looked at", async () => {
    const { service, ana } = await open(store)
    const start = service.clock.now
    await everyKind(service)
    const week = must(await ana.client.insight())
    const sum = (key: "allow" | "ask" | "deny" | "hide") => week.byDecision.reduce((all, bar) => all + bar[key], 0)
    expect([sum("allow"), sum("ask"), sum("deny"), sum("hide")]).toEqual([1, 3, 1, 1])
    expect(week.until - week.since).toBe(7 * 24 * 60 * 60_000)
    expect(week.deciders.toSorted((a, b) => (a.reviewer < b.reviewer ? -1 : 1))).toEqual([
      { reviewer: "ana", approved: 1, denied: 0 },
      { reviewer: "ben", approved: 0, denied: 1 },
    ])
    expect(week.asked[0]).toEqual({ tool: { server: "files", tool: "write" }, approved: 1, denied: 0, open: 1 })
    expect(week.timeToDecide.medianMs).toBe(1_000)
    expect(week.servers.map(({ server, allow, ask, deny, hide }) => [server, allow, ask, deny, hide])).toEqual([
      ["files", 1, 2, 1, 1],
      ["mail", 0, 1, 0, 0],
    ])
    expect(week.sessions.map(({ session }) => session.id)).toContain("s2")
    for (const { session, sessionKey, ask } of week.sessions) {
      const calls = await listed(ana, { principal: session.principal, session: session.id, effect: "ask" })
      expect(calls.map((call) => call.sessionKey)).toEqual(Array.from({ length: ask }, () => sessionKey))
    }
    const brief = must(await ana.client.insight({ query: { since: start, until: start + 3_500 } }))
    expect(brief.asked).toEqual([{ tool: { server: "files", tool: "write" }, approved: 1, denied: 0, open: 0 }])
    expect(codeOf(await ana.client.insight({ query: { since: 5, until: 5 } }))).toBe("bad-request")
  })
})

describe("calls that failed", () => {
  it("are listed, told and counted in the server's words", async () => {
    const { service, ana } = await open()
    const error = { isError: true, content: [{ type: "text", text: "ENOSPC: no space left" }] }
    await service.engine.gate.submit(callOf("files(read)"), async () => ({ kind: "failed", error }))
    await service.engine.submit(callOf("files(read)"))
    const [worked, failed] = await listed(ana)
    expect([worked?.failure, failed?.failure]).toEqual([null, "ENOSPC: no space left"])
    expect(must(await ana.client.getCall({ params: { id: failed?.id ?? "" } })).call.failure).toBe(failed?.failure)
    const { failures } = must(await ana.client.insight())
    expect(failures).toEqual([{ tool: { server: "files", tool: "read" }, calls: 1, words: "ENOSPC: no space left" }])
  })

  it("and those that people answered say what they said", async () => {
    const { service, ana } = await open()
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    await service.engine.gate.answer(nay(approval, ben, "Use the branch."))
    expect((await listed(ana)).map(({ decidedBy, reason }) => [decidedBy, reason])).toEqual([
      ["ben", "Use the branch."],
    ])
  })
})

describe("the audit as a table", () => {
  it("is safe to open in a spreadsheet, and whole", async () => {
    const { service, ana } = await open()
    const hostile = '=HYPERLINK("http://evil","a")'
    await service.engine.submit(callOf(`files(read)`, { text: hostile }))
    const { approval } = await holdCall(service.engine, callOf(`${hostile.replace("(", "[")}(write)`))
    await service.engine.gate.answer(nay(approval, ben, '+1 no, "really"\r\n@all'))
    const dpop = await service.proofOf(ana.key, "GET", "/api/audit/export")
    const response = await service.send("/api/audit/export?format=csv", { headers: { dpop } })
    expect(response.headers.get("content-type")).toMatch(/^text\/csv; charset=utf-8/)
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="byleave-audit-\d{4}-\d\d-\d\d\.csv"$/,
    )
    const rows = rowsOf(await response.text())
    const all = must(await ana.client.listAudit()).items
    expect(rows).toHaveLength(all.length + 1)
    expect(rows[0]?.slice(0, 3)).toEqual(["time", "type", "call"])
    for (const row of rows) {
      expect(row).toHaveLength(rows[0]?.length ?? 0)
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    }
    const denied = rows.find((row) => row[1] === "approval.denied")
    expect(denied).toContain('\'+1 no, "really"\r\n@all')
    expect(denied?.[3]?.startsWith("'=HYPERLINK")).toBe(true)
  })
})

/** RFC 4180, read by somebody else than who wrote it. */
function rowsOf(text: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'))
    if (end === ",") continue
    rows.push(row)
    row = []
  }
  return rows
}
