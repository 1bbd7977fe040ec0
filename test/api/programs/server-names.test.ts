/** A server's name belongs to one credential: what another says of it, asks of it or calls there changes nothing. */
import { gatePaths } from "@byleave/api"
import { createServerOwners, type Server, theService } from "@byleave/server"
import { afterEach, describe, expect, it } from "vitest"
import { policyOf, rule, yes } from "../../engine/open-engine.ts"
import { opening } from "../../opening.ts"
import { openService, type TestServiceOptions, url } from "../open-service.ts"

const { open: openOne, closeAll } = opening(openService)
afterEach(closeAll)

const pay = { name: "pay", description: "Pays", inputSchema: { type: "object" } }
const reworded = { ...pay, description: "Other words" }
const target = { kind: "tool", server: "bank", name: "pay" }
const from = { agent: "agent", session: { id: "s", named: true } }

async function open(options: TestServiceOptions = {}) {
  const service = await openOne(options)
  const tokenFor = async (id: string): Promise<string> => {
    const made = await service.credentials.addToken({ id, kind: "gate", namesSessions: true }, null)
    if (!("secret" in made)) throw new Error(made.detail)
    return made.secret
  }
  const [one, other] = [await tokenFor("one"), await tokenFor("other")]
  const post = (path: string, token: string, body: object, at: Server = service.server): Promise<Response> =>
    at.fetch(
      new Request(new URL(path, url), {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, host: "127.0.0.1:7337", "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    )
  const tell = (token: string, tool: object, at?: Server) =>
    post(gatePaths.tools, token, { server: "bank", tools: [tool] }, at)
  /** The first line of the answer to a call, and what comes after it. */
  const call = async (token: string, submission: string, told: readonly unknown[] = []) => {
    const body = { submission, from, server: "bank", tool: "pay", args: {}, told }
    const answer = await post(gatePaths.submit, token, body)
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    const next = async (): Promise<Record<string, unknown>> => {
      const text = String((await reader?.read())?.value)
      return text.trim() === "" ? next() : JSON.parse(text)
    }
    return { next }
  }
  return { ...service, tokenFor, one, other, post, tell, call }
}

type Held = { readonly id: string; readonly runDigest: string }

describe("a server's name that a credential uses", () => {
  it("is refused to another one with a reason, whatever that one asks, and nothing changes", async () => {
    const { engine, store, one, other, post, tell, call } = await open()
    const { instance } = (await (await tell(one, pay)).json()) as { readonly instance: string }
    const { id } = (await (await call(one, "x", [instance])).next()).approval as Held
    const before = await store.decisionState()
    const asked = [
      [gatePaths.tools, { server: "bank", tools: [reworded] }],
      [gatePaths.tools, { server: "bank", tools: [], program: "another" }],
      [gatePaths.offered, { server: "bank", tools: [reworded] }],
      [gatePaths.instructions, { server: "bank", instructions: "planted" }],
      [gatePaths.submit, { submission: "y", from, server: "bank", tool: "pay", args: {}, told: [], program: "p" }],
      [gatePaths.judge, { from, targets: [target] }],
      [gatePaths.judge, { from, targets: [target], args: {}, program: "p" }],
      [gatePaths.mayStillRun, { from, target, args: {}, approval: null, program: "p" }],
      [gatePaths.mayStillSend("a1"), { from, target, program: "p" }],
    ] as const
    for (const [path, body] of asked) {
      const answer = await post(path, other, body)
      const { code, detail } = (await answer.json()) as Record<string, string>
      expect([path, answer.status, code]).toEqual([path, 409, "name-taken"])
      expect(detail).toContain("Give your server another name")
    }
    for (let at = 0; at < 9; at++) await tell(other, { name: `t${at}` })
    expect((await store.decisionState()).pins).toEqual(before.pins)
    expect((await engine.gate.approval(id))?.status).toBe("pending")
    expect(await store.countApprovals({})).toBe(1)
    await post(gatePaths.leave("x"), one, {})
  })

  it("stays its own after a restart: what waits there is not superseded by another's telling", async () => {
    const { engine, again, one, other, post, tell, call } = await open()
    const { instance } = (await (await tell(one, pay)).json()) as { readonly instance: string }
    const { id } = (await (await call(one, "x", [instance])).next()).approval as Held
    const restarted = await again()
    expect((await tell(other, reworded, restarted)).status).toBe(409)
    expect((await tell(one, pay, restarted)).status).toBe(200)
    expect((await engine.gate.approval(id))?.status).toBe("pending")
    await post(gatePaths.leave("x"), one, {})
  })

  it("runs its allowed calls, however often another tells of it", async () => {
    const { one, other, post, tell, call } = await open({ policy: policyOf([rule("allow", "bank")]) })
    const { instance } = (await (await tell(one, pay)).json()) as { readonly instance: string }
    for (let at = 0; at < 4; at++) {
      await tell(other, { ...pay, description: `words ${at}` })
      const judged = await post(gatePaths.judge, one, { from, targets: [target], args: {} })
      expect(await judged.json()).toMatchObject({ decisions: [{ effect: "allow" }] })
      const { type, run } = await (await call(one, `x${at}`, [instance])).next()
      expect(type).toBe("run")
      await post(gatePaths.settle(String(run)), one, { kind: "succeeded", result: {} })
    }
  })

  it("is its own by a call alone", async () => {
    const { one, other, post, tell, call } = await open()
    await (await call(one, "x")).next()
    expect((await tell(other, pay)).status).toBe(409)
    await post(gatePaths.leave("x"), one, {})
  })

  it("is free once its token is revoked, without what nobody accepted", async () => {
    const { credentials, store, one, other, tell, tokenFor } = await open()
    await tell(one, reworded)
    await credentials.revokeToken("one", null)
    await expect.poll(async () => (await store.decisionState()).pins).toEqual([])
    expect((await tell(other, pay)).status).toBe(200)
    expect((await store.decisionState()).pins).toMatchObject([{ accepted: { definition: pay } }])
    expect((await tell(await tokenFor("one"), reworded)).status).toBe(409)
  })

  it("passes on to the service: a call that was approved meanwhile does not run", async () => {
    const { engine, store, clock, credentials, one, tell, call } = await open()
    const { addedAt } = credentials.identify
    const owners = createServerOwners({ store, time: () => store.now(clock.now), addedAt })
    const { instance } = (await (await tell(one, reworded)).json()) as { readonly instance: string }
    const held = await call(one, "x", [instance])
    const { id, runDigest } = (await held.next()).approval as Held
    expect(await owners.claim("bank", theService)).toBe(true)
    owners.stop()
    await engine.gate.answer(yes({ id, runDigest }))
    expect(await held.next()).toMatchObject({ type: "outcome", outcome: { kind: "error" } })
    expect((await tell(one, reworded)).status).toBe(409)
  })
})
