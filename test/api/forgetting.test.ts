/** What lets more run by taking something away, or by giving it to nobody in particular. */
import { newDeviceKey } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { callOf, holdCall } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { answerCall } from "./answer-call.ts"
import { sessionDisplayed } from "./as-displayed.ts"
import { annasPin, codeOf, must, openService } from "./open-service.ts"

const { open, closeAll } = opening(openService)
afterEach(closeAll)

const breadth = { kind: "tool", server: "files", tool: "write" } as const

describe("ending a session", () => {
  it("I2: that refuses whatever would be asked needs somebody to be there", async () => {
    const service = await open()
    const present = await service.person("ana")
    const absent = await service.person("ana", { presence: false })
    await holdCall(service.engine, callOf("files(write)"))
    const session = { principal: "agent", id: "s1" }
    must(
      await present.client.setMode({
        body: { ...(await sessionDisplayed(present.client, session)), mode: "unattended" },
      }),
    )
    expect(codeOf(await absent.client.endSession({ body: await sessionDisplayed(absent.client, session) }))).toBe(
      "presence-needed",
    )
    expect(must(await present.client.listSessions()).items).toMatchObject([{ mode: "unattended", endedAt: null }])
    must(await present.client.endSession({ body: await sessionDisplayed(present.client, session) }))
  })

  it("I3: that has a no in it is not for whoever owns its token", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    must(await ben.client.addToken({ body: { id: "anas", kind: "agent", owner: "ana", namesSessions: true } }))
    const session = { principal: "anas", id: "s1" }
    const principal = { id: "anas", owner: "ana" }
    await holdCall(service.engine, callOf("files(write)", {}, { principal, session: { ...session, named: true } }))
    must(await ben.client.addGrant({ body: { effect: "deny", breadth, session } }))
    expect(codeOf(await ana.client.endSession({ body: await sessionDisplayed(ana.client, session) }))).toBe(
      "self-approval",
    )
    expect(must(await ben.client.listGrants()).items).toHaveLength(1)
    must(await ben.client.endSession({ body: await sessionDisplayed(ben.client, session) }))
  })
})

describe("what somebody else restricted in a session", () => {
  const ref = { principal: "anas", id: "s1" }
  const principal = { id: "anas", owner: "ana" }
  const hold = (service: Awaited<ReturnType<typeof open>>, path: string) =>
    holdCall(service.engine, callOf("files(write)", { path }, { principal, session: { ...ref, named: true } }))

  async function ownersSession() {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    must(await ben.client.addToken({ body: { id: "anas", kind: "agent", owner: "ana", namesSessions: true } }))
    return { service, ana: ana.client, ben: ben.client }
  }

  it("I1, I3: `unattended` stays until somebody else than the token's owner changes it or ends the session", async () => {
    const { service, ana, ben } = await ownersSession()
    await hold(service, "a")
    must(await ben.setMode({ body: { ...(await sessionDisplayed(ben, ref)), mode: "unattended" } }))
    const shown = await sessionDisplayed(ana, ref)
    expect(codeOf(await ana.setMode({ body: { ...shown, mode: "ask" } }))).toBe("self-approval")
    expect(codeOf(await ana.endSession({ body: shown }))).toBe("self-approval")
    expect(must(await ana.listSessions()).items).toMatchObject([{ mode: "unattended", endedAt: null }])
    must(await ben.setMode({ body: { ...(await sessionDisplayed(ben, ref)), mode: "autonomous" } }))
    // What restricts is for everyone.
    must(await ana.setMode({ body: { ...(await sessionDisplayed(ana, ref)), mode: "ask" } }))
  })

  it("I1, I3: a blocked tool stays blocked until somebody else than the token's owner lifts that or ends the session", async () => {
    const { service, ana, ben } = await ownersSession()
    for (const path of ["1", "2", "3"]) {
      const { approval } = await hold(service, path)
      must(await answerCall(ben, approval.id, { kind: "deny" }))
    }
    // All sessions of the principal count together.
    const [blocked = ref] = must(await ana.listSessions()).items
    const shown = await sessionDisplayed(ana, blocked)
    const tool = { server: "files", tool: "write" }
    expect(codeOf(await ana.liftRefusal({ body: { ...shown, tool } }))).toBe("self-approval")
    expect(codeOf(await ana.endSession({ body: shown }))).toBe("self-approval")
    expect(must(await ana.listSessions()).items).toMatchObject([{ refused: [tool], endedAt: null }])
    expect(must(await ben.liftRefusal({ body: { ...shown, tool } })).refused).toEqual([])
  })
})

describe("a yes for a session", () => {
  it("I2: that nobody knows of is not found, and becomes no yes for everyone", async () => {
    const { client } = await (await open()).person("ana")
    const session = { principal: "nobody", id: "s1" }
    expect(codeOf(await client.addGrant({ body: { effect: "allow", breadth, session } }))).toBe("not-found")
    expect(must(await client.listGrants()).items).toEqual([])
  })
})

describe("a key that is registered", () => {
  it("I3: is not registered for somebody else, and the link stays good", async () => {
    const service = await open()
    const [ana, ben] = [await service.person("ana"), await service.person("ben")]
    const { link } = must(await ben.client.mintLink({ body: {} }))
    const body = { link, pin: annasPin, jwk: ana.key.jwk, name: "browser" }
    expect(codeOf(await ana.client.signIn({ body }))).toBe("name-taken")
    expect(must(await ana.client.me()).reviewer.id).toBe("ana")
    const key = await newDeviceKey({ extractable: false })
    must(await service.clientOf(key).signIn({ body: { ...body, jwk: key.jwk } }))
  })
})
