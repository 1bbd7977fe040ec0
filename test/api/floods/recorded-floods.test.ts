/** One agent that may call cannot make the record unreadable: what is kept, read at once and shown of its calls is bounded. */
import type { AuditRecordView } from "@byleave/api"
import type { JsonObject, Policy, Store } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, policyOf, rule } from "../../engine/open-engine.ts"
import { opening } from "../../opening.ts"
import { must, openService, type TestService } from "../open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const long = (at: number): JsonObject => ({ path: `/a/${at}`, text: "x".repeat(1_000_000) })
const mebibyte = 1_048_576

/** A service that allows everything, and the bytes of payloads that were read from its store. */
async function open(store: "memory" | "sqlite", nextPolicy?: Policy) {
  const reads: number[] = []
  const service = await openOne({
    ...{ store, policy: policyOf([rule("allow", "files")]) },
    ...(nextPolicy === undefined ? {} : { nextPolicy }),
    onRead: (bytes) => reads.push(bytes),
  })
  await service.engine.gate.seeTools("files", [{ name: "write" }])
  const { client } = await service.person("ana")
  return { service, client, reads }
}

describe.each(["memory", "sqlite"] as const)("a flood of allowed calls, with the %s store", (store) => {
  it("R94: of long arguments the beginning and the digest are recorded, lists carry previews, and what is not long is whole by its id", async () => {
    const { service, client } = await open(store)
    for (let at = 0; at < 20; at += 1) await service.engine.submit(callOf("files(write)", long(at)))
    const whole = { path: "/b", text: "y".repeat(20_000) }
    await service.engine.submit(callOf("files(write)", whole))

    const { items } = must(await client.listCalls({ query: { limit: 500 } }))
    expect(items).toHaveLength(21)
    expect(JSON.stringify(items).length).toBeLessThan(30_000)
    const [newest, second] = items
    expect(newest).toMatchObject({ argsBytes: 20_023, preview: [{ name: "path", text: "/b" }, { name: "text" }] })
    expect(second).toMatchObject({ argsBytes: 1_000_026, preview: [{ name: "path", text: "/a/19" }, { name: "text" }] })

    const kept = must(await client.getCall({ params: { id: newest?.id ?? "" } }))
    expect(kept.call).toMatchObject({ args: whole, argsAreWhole: true })
    const cut = must(await client.getCall({ params: { id: second?.id ?? "" } }))
    expect(cut.call).toMatchObject({ args: { path: "/a/19" }, argsAreWhole: false })
    expect(cut.records[0]?.body).toMatchObject({
      wholeBytes: 1_000_026,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(new Set(await digests(service.store)).size).toBe(21)
    expect(JSON.stringify(cut).length).toBeLessThan(70_000)

    const audit = must(await client.listAudit({ query: { limit: 500 } }))
    expect(JSON.stringify(audit).length).toBeLessThan(80_000)
    const judged = audit.items.find(({ type, subject }) => type === "call.allowed" && subject === newest?.id)
    expect(judged).toMatchObject({ payload: null, payloadBytes: 20_023 })
    expect(must(await client.verifyAudit())).toMatchObject({ ok: true })
  })

  it("lists, the export and a policy's preview read a bounded number of bytes at a time, also of records kept long before", async () => {
    const { service, client, reads } = await open(
      store,
      policyOf([rule("deny", "files", { when: [{ key: "path", op: "under", folder: "/a" }] })]),
    )
    for (let at = 0; at < 40; at += 1) {
      await service.store.commit({
        ...{ at: service.clock.now, events: [], durability: "soon" },
        records: [oldCall(service, at)],
      })
    }
    for (let at = 0; at < 160; at += 1)
      await service.engine.submit(callOf("files(write)", { path: `/a/${at}`, text: "z".repeat(60_000) }))

    reads.length = 0
    const { items } = must(await client.listCalls({ query: { limit: 500 } }))
    expect(items).toHaveLength(200)
    expect(items.at(-1)).toMatchObject({ preview: null, argsBytes: 400_013 })
    expect(Math.max(...reads)).toBeLessThanOrEqual(2 * mebibyte)

    reads.length = 0
    expect(must(await client.listAudit({ query: { limit: 500 } })).items.length).toBeGreaterThan(300)
    expect(Math.max(...reads)).toBeLessThanOrEqual(2 * mebibyte)

    reads.length = 0
    const text = await new Response(must(await client.stream("exportAudit"))).text()
    const lines = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditRecordView)
    expect(lines.filter(({ payload }) => JSON.stringify(payload).length === 400_013)).toHaveLength(40)
    expect(Math.max(...reads)).toBeLessThanOrEqual(2 * mebibyte)

    reads.length = 0
    const { calls } = must(await client.previewPolicy({ body: { text: "" } }))
    expect(calls.looked).toBe(200)
    // About 8 MiB of arguments are judged again; the rest is said to be skipped.
    expect(calls.different.length).toBeGreaterThan(130)
    expect(calls.skipped).toBe(200 - calls.different.length)
    expect(reads.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(10 * mebibyte)
  })
})

async function digests(store: Store): Promise<readonly string[]> {
  const records = await store.records({ types: ["call.allowed"], limit: 500, payloads: false })
  return records.map(({ text }) => JSON.parse(text).body.digest as string)
}

/** A judgement as it was recorded when all arguments were kept. */
function oldCall({ clock }: TestService, at: number) {
  const body = {
    ...{ principal: "agent", session: "s1", server: "files", tool: "write", kind: "tool", because: "rule" },
    ...{ rule: null, grant: null, reason: "", policy: "old", mode: "ask", digest: "", fingerprint: "" },
    ...{ wouldAsk: false, refusal: null, rerunOf: null },
  }
  const payload = JSON.stringify({ text: `${at}`.padStart(400_002, "w") })
  return { type: "call.allowed", subject: `old-${at}`, step: 0, at: clock.now - 1_000 + at, body, payload } as const
}
