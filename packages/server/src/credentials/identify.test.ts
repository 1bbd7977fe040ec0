import { expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { createCredentials } from "./create-credentials.ts"
import { openPorts } from "./fixtures/open-ports.ts"

it("I3: every agent behind a gate's token belongs to the token's owner", async () => {
  const ports = openPorts()
  const credentials = createCredentials(ports)
  await credentials.addReviewer({ id: "ana", name: "Ana", groups: [], pin: "1234" }, null)
  const made = await credentials.addToken({ id: "wrap", kind: "gate", owner: "ana", namesSessions: true }, null)
  if (isRefused(made)) throw new Error(made.detail)
  const { identify } = credentials
  expect(await identify.ownerOf("wrap")).toBe("ana")
  expect(await identify.ownerOf("wrap:copilot")).toBe("ana")
  expect(await identify.ownerOf("wrap:a:b")).toBe("ana")
  expect(await identify.ownerOf("wrapped:copilot")).toBeNull()
  await credentials.close()
})

it("I4: a store that fails once lets nobody in then, and keeps nobody out afterwards", async () => {
  const ports = openPorts()
  let isBroken = false
  const documents: typeof ports.store.documents = (kind, query) =>
    isBroken ? Promise.reject(new Error("gone")) : ports.store.documents(kind, query)
  const credentials = createCredentials({ ...ports, store: { ...ports.store, documents } })
  const made = await credentials.addToken({ id: "bot", kind: "agent", namesSessions: false }, null)
  if (isRefused(made)) throw new Error(made.detail)
  isBroken = true
  await expect(credentials.identify.agent(`Bearer ${made.secret}`)).rejects.toThrow("gone")
  isBroken = false
  expect(await credentials.identify.agent(`Bearer ${made.secret}`)).toMatchObject({ principal: { id: "bot" } })
  await credentials.close()
})
