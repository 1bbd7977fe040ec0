import type { Effect } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { ana, callOf, holdCall, openEngine, policyOf, rule, yes } from "./open-engine.ts"

const write = callOf("files(write)", { path: "a" })

describe("an answer given in the agent's client", () => {
  it("counts once, for the call as it was shown, and names nobody as verified", async () => {
    const engine = await openEngine()
    const { approval, outcome } = await holdCall(engine, write)
    const { id, runDigest: digest } = approval
    expect(await engine.gate.answerInClient({ approval: id, kind: "approve", digest })).toMatchObject({ ok: true })
    expect(await outcome).toMatchObject({ kind: "result" })
    expect((await engine.gate.approval(id))?.votes).toMatchObject([
      { reviewer: "client:agent", reason: "answered in the client, person unverified" },
    ])
    expect(engine.runs).toHaveLength(1)
  })

  it.each([
    { name: "asked every time", more: { remember: "never" } },
    { name: "asked of several", more: { approvals: 2 } },
    { name: "asked of a group", more: { reviewers: ["leads"] } },
  ] as const)("does not count for what is $name", async ({ more }) => {
    const engine = await openEngine(policyOf([rule("ask", "files(*)", more)]))
    const { approval } = await holdCall(engine, write)
    const { id, runDigest: digest } = approval
    expect(await engine.gate.answerInClient({ approval: id, kind: "approve", digest })).toMatchObject({
      ok: false,
      refusal: { code: "forbidden-by-policy" },
    })
    expect(await engine.gate.approval(id)).toMatchObject({ status: "pending", votes: [] })
  })

  it("says so when there is no such call", async () => {
    const engine = await openEngine()
    expect(await engine.gate.answerInClient({ approval: "none", kind: "approve", digest: "" })).toMatchObject({
      ok: false,
      refusal: { code: "not-found" },
    })
  })
})

it("whoever opened the gate is told of every call before it is judged, and of each decision once it is recorded", async () => {
  const told: Array<string | Effect> = []
  const rules = [rule("allow", "files(read)"), rule("deny", "files(delete)"), rule("hide", "files(secret)")]
  const engine = await openEngine(policyOf(rules), {
    onCall: ({ tool }) => told.push(tool.tool),
    onJudged: (effect) => told.push(effect),
  })
  await engine.submit(callOf("files(read)"))
  await engine.submit(callOf("files(delete)"))
  await engine.submit(callOf("files(secret)"))
  const { approval, outcome } = await holdCall(engine, write)
  await engine.gate.answer(yes(approval, ana))
  await outcome
  expect(told).toEqual(["read", "allow", "delete", "deny", "secret", "hide", "write", "ask"])
})
