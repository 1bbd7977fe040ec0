/** The warnings of a held call that rest on what people approved before it. */
import type { Approval } from "@byleave/core"
import { expect, it } from "vitest"
import { callOf, type Engine, holdCall, openEngine } from "./open-engine.ts"

const ada = { id: "ada", groups: [] }

const kindsOf = ({ checked }: Approval): readonly string[] => checked?.risks.map(({ kind }) => kind) ?? []

async function answered(engine: Engine, kind: "approve" | "deny", call: ReturnType<typeof callOf>): Promise<Approval> {
  const { approval, outcome } = await holdCall(engine, call)
  await engine.gate.answer({ approval: approval.id, kind, digest: approval.runDigest, reviewer: ada })
  await outcome
  return approval
}

it("tells of a tool's first use by anybody, then by this agent, and then no more", async () => {
  const engine = await openEngine()
  expect(kindsOf(await answered(engine, "deny", callOf("files(touch)", { a: 1 })))).toEqual(["first-use"])
  expect(kindsOf(await answered(engine, "approve", callOf("files(touch)", { a: 2 })))).toEqual(["first-use"])
  const other = { principal: { id: "other" }, session: { principal: "other", id: "s2", named: true } }
  expect(kindsOf(await answered(engine, "approve", callOf("files(touch)", { a: 3 }, other)))).toEqual([
    "first-use-by-agent",
  ])
  expect(kindsOf(await answered(engine, "approve", callOf("files(touch)", { a: 4 }, other)))).toEqual([])
  expect(kindsOf(await answered(engine, "approve", callOf("files(touch)", { a: 5 })))).toEqual([])
  engine.clock.now += 181 * 24 * 60 * 60_000
  expect(kindsOf(await answered(engine, "deny", callOf("files(touch)", { a: 6 })))).toEqual(["first-use"])
})

it("tells of a host that no approved call has led to, also of what a reviewer writes instead", async () => {
  const engine = await openEngine()
  const to = (url: string) => callOf("web(visit)", { url })
  expect(kindsOf(await answered(engine, "deny", to("https://a.example/1")))).toContain("new-host")
  expect(kindsOf(await answered(engine, "approve", to("https://a.example/2")))).toContain("new-host")
  const { approval, outcome } = await holdCall(engine, to("https://a.example/3"))
  expect(kindsOf(approval)).toEqual([])
  const edited = { url: "https://b.example/" }
  expect((await engine.gate.checkEdit(approval, edited)).risks.map(({ kind }) => kind)).toEqual(["new-host"])
  const verdict = { approval: approval.id, kind: "approve", digest: approval.runDigest, reviewer: ada } as const
  expect(await engine.gate.answer({ ...verdict, args: edited })).toMatchObject({ ok: true })
  await outcome
  expect(kindsOf(await answered(engine, "approve", to("https://b.example/4")))).toEqual([])
})

it("keeps no host's name: its document outlives the arguments", async () => {
  const engine = await openEngine()
  await answered(engine, "approve", callOf("web(visit)", { url: "https://a.example/" }))
  const kept = await engine.store.documents("approved-before", { limit: 10, now: engine.clock.now })
  expect(kept).toHaveLength(3)
  expect(JSON.stringify(kept)).not.toMatch(/example|visit/)
})

it("quotes the server where the same call failed before in its session", async () => {
  const engine = await openEngine()
  const refused = { content: [{ type: "text", text: "Access denied - outside allowed directories" }], isError: true }
  const failing = { ...engine, run: async () => ({ kind: "failed", error: refused }) as const }
  await answered(failing, "approve", callOf("files(touch)", { path: "a" }))
  const { checked } = await answered(engine, "deny", callOf("files(touch)", { path: "a" }))
  expect(checked?.risks.map(({ sentence }) => sentence)).toEqual([
    'The same call failed before. The server said: "Access denied - outside allowed directories"',
  ])
  expect(kindsOf(await answered(engine, "deny", callOf("files(touch)", { path: "b" })))).toEqual([])
})
