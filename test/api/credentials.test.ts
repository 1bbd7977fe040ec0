import { bindVerdict, newDeviceKey, routes, shownDigest, signProof } from "@byleave/api"
import { createCredentials, isRefused } from "@byleave/server"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, holdCall, policyOf, rule } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { answerCall } from "./answer-call.ts"
import { definitionDisplayed, grantsDisplayed, sessionDisplayed } from "./as-displayed.ts"
import { annasPin, clientAt, codeOf, must, openService, type TestService, url } from "./open-service.ts"

const { open, closeAll } = opening(openService)
afterEach(closeAll)

async function codeIn(response: Response): Promise<string> {
  return ((await response.json()) as { readonly code: string }).code
}

const reviewerRoutes = Object.values(routes).filter(({ credential }) => credential.startsWith("reviewer"))
const pathOf = (path: string): string => path.replace(":id", "x")

describe("credentials where they do not belong", () => {
  it("without one, every route for reviewers answers 401 and says how to sign in", async () => {
    const service = await open()
    for (const { method, path } of reviewerRoutes) {
      const response = await service.send(pathOf(path), { method })
      expect([path, response.status]).toEqual([path, 401])
      expect(response.headers.get("www-authenticate")).toContain("DPoP")
    }
  })

  it.each(["agent", "gate"] as const)("a token of kind %s opens no route for reviewers", async (kind) => {
    const service = await open()
    const made = await service.credentials.addToken({ id: "bot", kind, namesSessions: false }, null)
    if (isRefused(made)) throw new Error(made.detail)
    for (const { method, path } of reviewerRoutes) {
      const response = await service.send(pathOf(path), { method, headers: { authorization: `Bearer ${made.secret}` } })
      expect([path, response.status, await codeIn(response)]).toEqual([path, 403, "wrong-credential"])
    }
  })

  it("a token added to a proof takes nothing from a reviewer but their way in", async () => {
    const service = await open()
    const ana = await service.person("ana")
    const headers = { dpop: await service.proofOf(ana.key, "GET", "/api/me"), authorization: "Bearer byl_agent_x" }
    expect((await service.send("/api/me", { headers })).status).toBe(403)
  })

  it("tells agents' tokens from gates', and neither from nothing", async () => {
    const { credentials } = await open()
    const agent = await credentials.addToken({ id: "bot", kind: "agent", namesSessions: true }, null)
    const gate = await credentials.addToken({ id: "wrap", kind: "gate", namesSessions: false }, null)
    if (isRefused(agent) || isRefused(gate)) throw new Error("no token")
    const { identify } = credentials
    expect(await identify.agent(`Bearer ${agent.secret}`)).toEqual({ principal: { id: "bot" }, namesSessions: true })
    expect(await identify.gate(`Bearer ${gate.secret}`)).toEqual({ token: "wrap" })
    expect(await identify.agent(`Bearer ${gate.secret}`)).toBeNull()
    expect(await identify.gate(`Bearer ${agent.secret}`)).toBeNull()
    expect(await identify.agent(`Bearer ${agent.secret.slice(0, -1)}`)).toBeNull()
    expect(await identify.agent(undefined)).toBeNull()
  })

  it("a revoked token speaks for nobody at once, and the store holds no secret", async () => {
    const { credentials, store, clock } = await open({ store: "sqlite" })
    const made = await credentials.addToken({ id: "bot", kind: "agent", namesSessions: false }, null)
    if (isRefused(made)) throw new Error(made.detail)
    expect(await credentials.identify.agent(`Bearer ${made.secret}`)).not.toBeNull()
    const stored = JSON.stringify(await store.documents("token", { limit: 10, now: clock.now }))
    expect(stored).not.toContain(made.secret.slice(10))
    expect(await credentials.revokeToken("bot", null)).toBeNull()
    expect(await credentials.identify.agent(`Bearer ${made.secret}`)).toBeNull()
  })
})

it("a token revoked here is out here before the store's event has come round", async () => {
  const { credentials, store } = await open()
  const deaf = createCredentials({ ...credentials.ports, store: { ...store, subscribe: () => () => {} } })
  const made = await deaf.addToken({ id: "bot", kind: "agent", namesSessions: false }, null)
  if (isRefused(made)) throw new Error(made.detail)
  expect(await deaf.identify.agent(`Bearer ${made.secret}`)).not.toBeNull()
  await deaf.revokeToken("bot", null)
  expect(await deaf.identify.agent(`Bearer ${made.secret}`)).toBeNull()
  await deaf.close()
})

it("a token revoked at another process is out here once the store says so", async () => {
  const { credentials } = await open()
  const made = await credentials.addToken({ id: "bot", kind: "agent", namesSessions: false }, null)
  if (isRefused(made)) throw new Error(made.detail)
  expect(await credentials.identify.agent(`Bearer ${made.secret}`)).not.toBeNull()
  const other = createCredentials(credentials.ports)
  await other.revokeToken("bot", null)
  expect(await credentials.identify.agent(`Bearer ${made.secret}`)).toBeNull()
  await other.close()
})

describe("proofs", () => {
  const me = "/api/me"

  it("one is good once: replayed, it is refused, at another process as well when it changes something", async () => {
    const service = await open({ store: "sqlite" })
    const ana = await service.person("ana")
    const headers = { dpop: await service.proofOf(ana.key, "GET", me) }
    expect((await service.send(me, { headers })).status).toBe(200)
    expect(await codeIn(await service.send(me, { headers }))).toBe("bad-proof")

    const body = JSON.stringify({})
    const path = "/api/sign-in/links"
    const change = { method: "POST", body, headers: { "content-type": "application/json", dpop: "" } }
    change.headers.dpop = await service.proofOf(ana.key, "POST", path, body)
    expect((await service.send(path, change)).status).toBe(200)
    const restarted = await service.again()
    expect((await restarted.fetch(new Request(url + path, change))).status).toBe(401)
  })

  it.each([
    { name: "for another address", make: { url: `${url}/api/grants` } },
    { name: "for another host", make: { url: `http://evil.example:7337${me}` } },
    { name: "for another method", make: { method: "POST" } },
    { name: "for another body", make: { body: "{}" } },
    { name: "a minute old", make: { later: -61_000 } },
    { name: "from the future", make: { later: 61_000 } },
  ])("one made $name is refused", async ({ make }) => {
    const service = await open()
    const { key } = await service.person("ana")
    const { later = 0, ...other } = make as { later?: number; url?: string; method?: string; body?: string }
    const now = service.clock.now + later
    const dpop = await signProof({ key, method: "GET", url: url + me, body: "", ...other, now })
    const response = await service.send(me, { headers: { dpop } })
    expect([response.status, await codeIn(response)]).toEqual([401, "bad-proof"])
  })

  it("a body changed on the way is refused, so no verdict is another's", async () => {
    const service = await open()
    const ana = await service.person("ana")
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    const path = `/api/approvals/${approval.id}/verdict`
    const signed = JSON.stringify(await bindVerdict(approval, { kind: "deny" }))
    const dpop = await service.proofOf(ana.key, "POST", path, signed)
    const body = signed.replace("deny", "approve")
    const response = await service.send(path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", dpop },
    })
    expect(await codeIn(response)).toBe("bad-proof")
    expect((await service.engine.gate.approval(approval.id))?.status).toBe("pending")
  })

  it("a stranger's key, however well it signs, is not signed in", async () => {
    const service = await open()
    await service.person("ana")
    expect(codeOf(await service.clientOf(await newDeviceKey({ extractable: false })).me())).toBe("not-signed-in")
  })

  it("what is no proof at all is refused", async () => {
    const service = await open()
    for (const dpop of ["", "x", "a.b.c", "e30.e30.", "x".repeat(10_000)]) {
      expect((await service.send(me, { headers: { dpop } })).status).toBe(401)
    }
  })

  it("a revoked device and a removed reviewer are out at once", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    const device = must(await ben.client.me()).device.id
    must(await ana.client.revokeDevice({ params: { id: device } }))
    expect(codeOf(await ben.client.me())).toBe("not-signed-in")
    const again = await service.person("ben")
    must(await ana.client.removeReviewer({ params: { id: "ben" } }))
    expect(codeOf(await again.client.me())).toBe("not-signed-in")
    expect(codeOf(await ana.client.removeReviewer({ params: { id: "ana" } }))).toBe("last-reviewer")
    must(await ana.client.signOut())
    expect(codeOf(await ana.client.me())).toBe("not-signed-in")
  })
})

describe("hosts and origins", () => {
  it.each([
    { name: "a rebound name", headers: { host: "evil.example:7337" }, code: "foreign-host" },
    { name: "another port", headers: { host: "127.0.0.1:1" }, code: "foreign-host" },
    { name: "another origin", headers: { origin: "http://127.0.0.1:3000" }, code: "foreign-origin" },
    { name: "a sandboxed page", headers: { origin: "null" }, code: "foreign-origin" },
  ])("$name is refused everywhere", async ({ headers, code }) => {
    const service = await open()
    for (const path of ["/api/hello", "/api/approvals", "/healthz", "/metrics", "/nowhere"]) {
      const response = await service.send(path, { headers })
      expect([response.status, await codeIn(response)]).toEqual([403, code])
    }
  })

  it("answers carry no leave for other origins, and no framing", async () => {
    const service = await open()
    const response = await service.send("/api/hello", { headers: { origin: url } })
    expect(response.status).toBe(200)
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([])
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(response.headers.get("set-cookie")).toBeNull()
  })
})

describe("signing in", () => {
  async function linkFrom(service: TestService): Promise<string> {
    const ana = await service.person("ana")
    return must(await ana.client.mintLink({ body: {} })).link
  }
  async function trySignIn(service: TestService, link: string, pin?: string) {
    const key = await newDeviceKey({ extractable: false })
    const client = service.clientOf(key)
    const body = { link, jwk: key.jwk, name: "browser", ...(pin === undefined ? {} : { pin }) }
    return { client, reply: await client.signIn({ body }) }
  }

  it("a link and the PIN register a browser once; the link is spent then", async () => {
    const service = await open({ store: "sqlite" })
    const link = await linkFrom(service)
    const { client, reply } = await trySignIn(service, link, annasPin)
    expect(must(reply)).toMatchObject({ presence: true, reviewer: { id: "ana" } })
    expect(must(await client.me())).toMatchObject({ present: true, presence: "pin" })
    expect(codeOf((await trySignIn(service, link, annasPin)).reply)).toBe("link-spent")
  })

  it("of two who use a link at once, one gets in", async () => {
    const service = await open({ store: "sqlite" })
    const link = await linkFrom(service)
    const both = await Promise.all([trySignIn(service, link, annasPin), trySignIn(service, link, annasPin)])
    expect(both.map(({ reply }) => codeOf(reply)).sort()).toEqual(["link-spent", "ok"])
  })

  it("a link is over after ten minutes, and one nobody made opens nothing", async () => {
    const service = await open()
    const link = await linkFrom(service)
    service.clock.now += 10 * 60_000
    expect(codeOf((await trySignIn(service, link, annasPin)).reply)).toBe("link-spent")
    expect(codeOf((await trySignIn(service, "made-up", annasPin)).reply)).toBe("link-spent")
  })

  it("wrong PINs cost time: after five, one try a minute, whatever process asks", async () => {
    const service = await open()
    const link = await linkFrom(service)
    for (let wrong = 0; wrong < 5; wrong++) {
      expect(codeOf((await trySignIn(service, link, `wrong ${wrong}`)).reply)).toBe("wrong-pin")
    }
    expect(codeOf((await trySignIn(service, link, annasPin)).reply)).toBe("too-many-tries")
    service.clock.now += 60_000
    expect(codeOf((await trySignIn(service, link, "wrong")).reply)).toBe("wrong-pin")
    expect(codeOf((await trySignIn(service, link, annasPin)).reply)).toBe("too-many-tries")
    service.clock.now += 60_000
    expect(codeOf((await trySignIn(service, link, annasPin)).reply)).toBe("ok")
  })

  it("fifty guesses at once get no more tries than five", async () => {
    const service = await open()
    const link = await linkFrom(service)
    const guesses = await Promise.all(Array.from({ length: 50 }, (_, at) => trySignIn(service, link, `guess ${at}`)))
    expect(guesses.filter(({ reply }) => codeOf(reply) === "wrong-pin").length).toBeLessThanOrEqual(5)
  })

  it("no PIN is no way in", async () => {
    const service = await open()
    expect(codeOf((await trySignIn(service, await linkFrom(service))).reply)).toBe("wrong-pin")
  })

  it("nobody registers a key they do not hold", async () => {
    const service = await open()
    const link = await linkFrom(service)
    const [mine, theirs] = [await newDeviceKey({ extractable: false }), await newDeviceKey({ extractable: false })]
    const body = { link, pin: annasPin, jwk: theirs.jwk, name: "browser" }
    expect(codeOf(await service.clientOf(mine).signIn({ body }))).toBe("bad-proof")
  })

  it("with presence none a link is enough, every device counts, and every answer says so", async () => {
    const service = await open({ presence: "none" })
    const { client, reply } = await trySignIn(service, await linkFrom(service))
    expect(must(reply)).toMatchObject({ presence: false })
    expect(must(await client.me())).toMatchObject({ present: true, presence: "none" })
    expect(must(await client.hello())).toMatchObject({ presence: "none" })
  })

  it("people change their own PIN, and nobody else's", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    const body = { current: annasPin, pin: "something new" }
    expect(codeOf(await ben.client.setPin({ params: { id: "ana" }, body }))).toBe("not-found")
    expect(codeOf(await ana.client.setPin({ params: { id: "ana" }, body: { ...body, current: "no" } }))).toBe(
      "wrong-pin",
    )
    must(await ana.client.setPin({ params: { id: "ana" }, body }))
    const { link } = must(await ana.client.mintLink({ body: {} }))
    expect(codeOf((await trySignIn(service, link, annasPin)).reply)).toBe("wrong-pin")
    expect(codeOf((await trySignIn(service, link, "something new")).reply)).toBe("ok")
  })
})

describe("presence", () => {
  it("a device without it looks and denies, and does nothing that could let something run", async () => {
    const service = await open()
    const { client } = await service.person("ana", { presence: false })
    await service.credentials.addToken({ id: "agent", kind: "agent", namesSessions: true }, null)
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    const { id } = approval
    const approve = await bindVerdict(approval, { kind: "approve" })
    const digest = await shownDigest(approval)
    const session = { principal: "agent", id: "s1" }
    const breadth = { kind: "tool", server: "files", tool: "write" } as const
    const params = { id }
    const needing = {
      approve: await client.giveVerdict({ params, body: approve }),
      extend: await client.extendApproval({ params, body: { until: null } }),
      rerun: await client.rerunApproval({ params, body: { digest } }),
      runNow: await client.runApprovalNow({ params, body: { digest } }),
      undo: await client.undoApproval({ params, body: { digest } }),
      grant: await client.addGrant({ body: { effect: "allow", breadth } }),
      mode: await client.setMode({ body: { ...session, mode: "autonomous", digest } }),
      lift: await client.liftRefusal({ body: { ...session, digest, tool: { server: "files", tool: "write" } } }),
      accept: await client.acceptPin({ body: { server: "files", tool: "write", fingerprint: "x", digest } }),
      liftQuarantine: await client.liftPin({ body: { server: "files", tool: "write" } }),
      link: await client.mintLink({ body: {} }),
      token: await client.addToken({ body: { id: "mine", kind: "agent" } }),
      reviewer: await client.addReviewer({ body: { id: "eve", name: "Eve", pin: "123456" } }),
      pin: await client.setPin({ params: { id: "ana" }, body: { current: annasPin, pin: "123456" } }),
      restart: await client.restartServer({ params: { id: "files" } }),
    }
    for (const [name, reply] of Object.entries(needing))
      expect([name, codeOf(reply)]).toEqual([name, "presence-needed"])
    const batch = must(await client.giveVerdicts({ body: { verdicts: [{ approval: id, ...approve }] } }))
    expect(batch.answers).toMatchObject([{ ok: false, problem: { code: "presence-needed" } }])
    expect((await service.engine.gate.approval(id))?.status).toBe("pending")

    must(await client.addGrant({ body: { effect: "deny", breadth } }))
    const [no] = must(await client.listGrants()).items
    const displayed = await grantsDisplayed(client, { server: "files" })
    expect(codeOf(await client.revokeGrant({ params: { id: no?.id ?? "" }, body: { digest: displayed } }))).toBe(
      "presence-needed",
    )
    expect(codeOf(await client.clearGrants({ body: { server: "files", digest: displayed } }))).toBe("presence-needed")
    expect(must(await answerCall(client, id, { kind: "deny" })).approval.status).toBe("denied")
    must(await client.revokeToken({ params: { id: "agent" } }))
  })
})

describe("nobody approves themselves", () => {
  it("the person who decides comes from the key: a body that names one is refused", async () => {
    const service = await open()
    const { client } = await service.person("ana")
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    const params = { id: approval.id }
    for (const forged of ["reviewer", "by", "decider", "approvedBy", "groups"]) {
      const body = { ...(await bindVerdict(approval, { kind: "approve" })), [forged]: "ben" } as const
      expect(codeOf(await client.giveVerdict({ params, body }))).toBe("bad-request")
    }
    const answered = must(await answerCall(client, approval.id, { kind: "approve" }))
    expect(answered.approval.votes).toMatchObject([{ reviewer: "ana" }])
  })

  it("a token's owner neither approves, grants, sets a mode nor runs anew what is called under it", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    must(await ben.client.addToken({ body: { id: "anas", kind: "agent", owner: "ana", namesSessions: true } }))
    const session = { principal: "anas", id: "s1", named: true }
    const call = callOf("files(write)", {}, { principal: { id: "anas", owner: "ana" }, session })
    const { approval } = await holdCall(service.engine, call)
    const ref = { principal: "anas", id: "s1" }
    const params = { id: approval.id }
    const breadth = { kind: "tool", server: "files", tool: "write" } as const
    const body = await bindVerdict(approval, { kind: "approve" })
    const tries = {
      approve: await ana.client.giveVerdict({ params, body }),
      "approve for good": await ana.client.giveVerdict({
        params,
        body: await bindVerdict(approval, { kind: "approve", remember: { scope: "always", breadth } }),
      }),
      "grant in the session": await ana.client.addGrant({ body: { effect: "allow", breadth, session: ref } }),
      "grant for everyone": await ana.client.addGrant({ body: { effect: "allow", breadth } }),
      mode: await ana.client.setMode({ body: { ...(await sessionDisplayed(ana.client, ref)), mode: "autonomous" } }),
    }
    for (const [name, reply] of Object.entries(tries)) expect([name, codeOf(reply)]).toEqual([name, "self-approval"])
    must(await ben.client.setMode({ body: { ...(await sessionDisplayed(ben.client, ref)), mode: "autonomous" } }))
    must(await ben.client.giveVerdict({ params, body }))
  })

  it("nor does a yes for good to another's call reach the owner's own token", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    must(await ben.client.addToken({ body: { id: "anas", kind: "agent", owner: "ana" } }))
    const { approval } = await holdCall(service.engine, callOf("files(write)"))
    const breadth = { kind: "tool", server: "files", tool: "write" } as const
    const params = { id: approval.id }
    const once = await bindVerdict(approval, { kind: "approve" })
    const always = await bindVerdict(approval, { kind: "approve", remember: { scope: "always", breadth } })
    expect(codeOf(await ana.client.giveVerdict({ params, body: always }))).toBe("self-approval")
    const verdicts = [{ ...always, approval: approval.id }]
    const { answers } = must(await ana.client.giveVerdicts({ body: { verdicts } }))
    expect(answers).toMatchObject([{ ok: false, problem: { code: "self-approval" } }])
    expect(must(await ana.client.listGrants()).items).toEqual([])
    must(await ana.client.giveVerdict({ params, body: once }))
  })

  it("nor does the owner accept a changed definition, which lets the token's calls run by an old rule again", async () => {
    const service = await open({ policy: policyOf([rule("allow", "files")]) })
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    must(await ben.client.addToken({ body: { id: "anas", kind: "agent", owner: "ana" } }))
    const { gate } = service.engine
    await gate.seeTools("files", [{ name: "write" }])
    await gate.seeTools("files", [{ name: "write", description: "Deletes" }])
    const body = await definitionDisplayed(ana.client, { server: "files", tool: "write" })
    const session = { principal: "anas", id: "anas", named: false }
    const effect = async () =>
      (await gate.judge({ server: "files", kind: "tool", name: "write" }, {}, { principal: { id: "anas" }, session }))
        .effect
    expect(codeOf(await ana.client.acceptPin({ body }))).toBe("self-approval")
    expect(await effect()).toBe("ask")
    must(await ben.client.acceptPin({ body }))
    expect(await effect()).toBe("allow")
  })

  it("the owner does not run anew what was lost, and leaves nothing waiting by trying", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    const call = callOf("files(write)", {}, { principal: { id: "agent", owner: "ana" } })
    const failing = { ...service.engine, run: async () => ({ kind: "failed", error: "no" }) as const }
    const { approval, outcome } = await holdCall(failing, call)
    const body = await bindVerdict(approval, { kind: "approve" })
    must(await ben.client.giveVerdict({ params: { id: approval.id }, body }))
    await outcome
    const rerun = { params: { id: approval.id }, body: { digest: await shownDigest(approval) } }
    expect(codeOf(await ana.client.rerunApproval(rerun))).toBe("self-approval")
    expect(must(await ana.client.listApprovals({ query: { status: "pending" } })).items).toEqual([])
    expect(must(await ben.client.rerunApproval(rerun)).approval.rerunOf).toBe(approval.id)
  })

  it("policy.selfApproval lets the owner of the only pair of hands decide", async () => {
    const service = await open({ policy: policyOf([], { selfApproval: true }) })
    const ana = await service.person("ana")
    const { approval } = await holdCall(
      service.engine,
      callOf("files(write)", {}, { principal: { id: "agent", owner: "ana" } }),
    )
    const body = await bindVerdict(approval, { kind: "approve" })
    must(await ana.client.giveVerdict({ params: { id: approval.id }, body }))
  })
})

describe("bad requests", () => {
  const cases = [
    { name: "a key twice", body: '{"kind":"deny","kind":"approve","digest":"x"}', status: 400, code: "bad-json" },
    {
      name: "keys that differ in case",
      body: '{"kind":"deny","KIND":"approve","digest":"x"}',
      status: 400,
      code: "bad-json",
    },
    { name: "no JSON", body: "kind=approve", status: 400, code: "bad-json" },
    { name: "an unknown kind", body: '{"kind":"maybe","digest":"x"}', status: 400, code: "bad-request" },
    { name: "a form", body: "{}", type: "text/plain", status: 415, code: "wrong-content-type" },
    { name: "too much", body: JSON.stringify({ digest: "x".repeat(1024 * 1024) }), status: 413, code: "too-large" },
  ]
  it.each(cases)("$name: $status", async ({ body, type = "application/json", status, code }) => {
    const service = await open()
    const ana = await service.person("ana")
    const path = "/api/approvals/x/verdict"
    const dpop = await service.proofOf(ana.key, "POST", path, body)
    const response = await service.send(path, { method: "POST", body, headers: { "content-type": type, dpop } })
    expect(response.headers.get("content-type")).toBe("application/problem+json")
    expect([response.status, await codeIn(response)]).toEqual([status, code])
  })

  it("unknown addresses and methods are told so", async () => {
    const service = await open()
    expect((await service.send("/api/nothing")).status).toBe(404)
    const response = await service.send("/api/approvals", { method: "PUT" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"])
  })

  it("ids nobody has are not found, in the same words whatever they name", async () => {
    const service = await open()
    const { client } = await service.person("ana")
    const params = { id: "nobody" }
    const session = { principal: "nobody", id: "s", digest: "x" }
    const replies = [
      await client.getApproval({ params }),
      await client.giveVerdict({ params, body: { kind: "approve", digest: "x" } }),
      await client.revokeGrant({ params, body: { digest: "x" } }),
      await client.getServer({ params }),
      await client.revokeToken({ params }),
      await client.revokeDevice({ params }),
      await client.setMode({ body: { ...session, mode: "observe" } }),
      await client.endSession({ body: session }),
    ]
    const details = new Set(
      replies.map((reply) => (reply.ok ? "ok" : `${reply.problem.status} ${reply.problem.detail}`)),
    )
    expect([...details]).toHaveLength(1)
    expect([...details][0]).toMatch(/^404/)
  })

  it("a store that is gone is told as such, and the service is not ready", async () => {
    const service = await openService({ store: "sqlite" })
    const ana = await service.person("ana")
    expect((await service.send("/readyz")).status).toBe(200)
    await service.store.close()
    expect((await service.send("/readyz")).status).toBe(503)
    expect((await service.send("/healthz")).status).toBe(200)
    expect(codeOf(await ana.client.listApprovals())).toBe("store-unavailable")
    service.server.close()
  })

  it("a client of another service learns nothing from the challenge", async () => {
    const service = await open()
    const ana = clientAt(service.server, await newDeviceKey({ extractable: false }), service.clock)
    const challenge = "0123456789abcdef"
    expect(must(await ana.hello({ query: { challenge, address: url } })).proof).toMatch(/^[0-9a-f]{64}$/)
    expect(must(await ana.hello()).proof).toBeNull()
    for (const address of ["http://127.0.0.1:7338", "https://127.0.0.1:7337", "http://localhost:7337", `${url}/`, ""]) {
      expect(must(await ana.hello({ query: { challenge, address } })).proof, address).toBeNull()
    }
  })
})
