import { describe, expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { createCredentials } from "./create-credentials.ts"
import { openPorts } from "./fixtures/open-ports.ts"

describe("a token", () => {
  it.each(["byleave", "Byleave", "anonymous", "ANONYMOUS", "inbox", "Inbox"])("I2: is not called %s", async (id) => {
    const credentials = createCredentials(openPorts())
    for (const kind of ["agent", "gate"] as const)
      expect(await credentials.addToken({ id, kind, namesSessions: false }, null)).toMatchObject({
        refusedWith: "bad-request",
        detail: expect.stringContaining("Choose another name."),
      })
    await credentials.close()
  })

  it("I3: whose name is taken is not made, and the first one stays", async () => {
    const credentials = createCredentials(openPorts())
    const first = await credentials.addToken({ id: "bot", kind: "agent", namesSessions: false }, null)
    if (isRefused(first)) throw new Error(first.detail)
    const second = await credentials.addToken({ id: "bot", kind: "gate", namesSessions: true }, null)
    expect(second).toMatchObject({ refusedWith: "name-taken" })
    expect(await credentials.identify.agent(`Bearer ${first.secret}`)).toMatchObject({ principal: { id: "bot" } })
    await credentials.close()
  })

  it("I4: that is revoked makes calls that are being decided conflict, and so does its name for somebody else", async () => {
    const ports = openPorts()
    const credentials = createCredentials(ports)
    const judgedAt = async (epoch: number) =>
      (await ports.store.commit({ at: 0, epoch, records: [], events: [], durability: "full" })).ok
    const until = async () => (await ports.store.document("revocation", "bot", 0))?.value.until
    const add = () => credentials.addToken({ id: "bot", kind: "agent", namesSessions: false }, null)
    await add()
    expect([await judgedAt(0), await until()]).toEqual([true, undefined])
    await credentials.revokeToken("bot", null)
    expect([await judgedAt(0), await judgedAt(1), await until()]).toEqual([false, true, null])
    const again = await add()
    if (isRefused(again)) throw new Error(again.detail)
    expect([await judgedAt(1), await judgedAt(2), await until()]).toEqual([false, true, again.token.createdAt])
    await credentials.revokeToken("bot", null)
    expect([await judgedAt(2), await until()]).toEqual([false, null])
    await credentials.close()
  })
})
