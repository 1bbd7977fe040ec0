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
})
