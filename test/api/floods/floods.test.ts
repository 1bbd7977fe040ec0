/** One agent cannot blind its reviewers: lists stay small, what waits is bounded, and everything can still be denied. */
import { defaultLimits, type JsonObject } from "@byleave/core"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, holdCall, policyOf } from "../../engine/open-engine.ts"
import { opening } from "../../opening.ts"
import { must, openService, type TestService } from "../open-service.ts"

const open = async (...options: Parameters<typeof openService>): Promise<TestService> => {
  const service = await openOne(...options)
  return service
}
const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const megabyte = 1_000_000
const crafted = (at: number): JsonObject => ({ path: `/a/${at}`, q: "://".repeat(megabyte) })

describe.each(["memory", "sqlite"] as const)("a flood of held calls, with the %s store", (store) => {
  const limits = { ...defaultLimits, heldBytesPerPrincipal: 10 * megabyte, waitingPerPrincipal: 6 }

  it("R94: what exceeds the limits is refused with a reason, what waits is listed without arguments, and all of it can be denied", async () => {
    const service = await open({ store, policy: { ...policyOf([]), limits } })
    const { client } = await service.person("ana")
    for (let at = 0; at < 3; at++) await holdCall(service.engine, callOf("files(write)", crafted(at)))
    const refused = await service.engine.submit(callOf("files(write)", crafted(3)))
    expect(refused).toMatchObject({ kind: "refusal", refusal: { by: "limit", code: "too-much-held" } })
    expect(refused).toMatchObject({ refusal: { reason: expect.stringMatching(/9 MB .* 10 MB, .*send less/) } })
    const tooLarge = await service.engine.submit(callOf("files(write)", { q: "x".repeat(11 * megabyte) }))
    expect(tooLarge).toMatchObject({
      refusal: { reason: expect.stringMatching(/are 11 MB.*Send less in one call/) },
    })
    for (let at = 0; at < 3; at++) await holdCall(service.engine, callOf("files(write)", { at }))
    expect(await service.engine.submit(callOf("files(write)", { at: 9 }))).toMatchObject({
      refusal: { code: "too-many-waiting", reason: expect.stringMatching(/6 calls of this agent/) },
    })

    const { items } = must(await client.listApprovals({ query: { status: "pending" } }))
    expect(items).toHaveLength(6)
    expect(JSON.stringify(items).length).toBeLessThan(20_000)
    expect(items.at(-1)).toMatchObject({ bytes: 3_000_022, risks: { kinds: expect.arrayContaining(["not-checked"]) } })
    const whole = must(await client.getApproval({ params: { id: items.at(-1)?.id ?? "" } }))
    expect(whole.args).toEqual(crafted(0))
    expect(whole.risks[0]).toMatchObject({ kind: "not-checked" })

    const verdicts = items.map(({ id, runDigest }) => ({ approval: id, kind: "deny", digest: runDigest }) as const)
    const { answers } = must(await client.giveVerdicts({ body: { verdicts } }))
    expect(answers.map(({ ok }) => ok)).toEqual(items.map(() => true))
    expect(JSON.stringify(answers).length).toBeLessThan(20_000)
    await holdCall(service.engine, callOf("files(other)", crafted(4)))
  })

  it("warnings are worked out when a call is held, and shown as they were found", async () => {
    const service = await open({ store })
    const { client } = await service.person("ana")
    const { approval } = await holdCall(service.engine, callOf("files(write)", { path: "a\u202eb" }))
    const stored = await service.store.approval(approval.id)
    expect(stored?.checked?.risks).toMatchObject([{ kind: "first-use" }, { kind: "hidden-characters", key: "path" }])
    const shown = must(await client.getApproval({ params: { id: approval.id } }))
    expect(shown.risks).toEqual(stored?.checked?.risks)
    expect(shown).not.toHaveProperty("checked")
  })

  it("of a call that was one too many, long arguments are not kept", async () => {
    const service = await open({ store, policy: { ...policyOf([]), limits } })
    await service.engine.submit(callOf("files(write)", { q: "x".repeat(11 * megabyte) }))
    const [record] = await service.store.records({ types: ["call.denied"], limit: 1 })
    expect(record).toMatchObject({ payload: null })
    expect(JSON.parse(record?.text ?? "{}")).toMatchObject({ body: { refusal: "too-much-held" } })
  })
})

it("R94: an agent's calls wait with 32 MB of arguments in all where nobody wrote a limit, and no more", async () => {
  const service = await open()
  for (let at = 0; at < 4; at++)
    await holdCall(service.engine, callOf("files(write)", { at, q: "x".repeat(7 * megabyte) }))
  const tried = callOf("files(write)", { q: "x".repeat(7 * megabyte) })
  const refused = await service.engine.gate.submit(tried, service.engine.run, { until: () => Promise.resolve() })
  expect(refused).toMatchObject({ kind: "refusal", refusal: { code: "too-much-held" } })
})
