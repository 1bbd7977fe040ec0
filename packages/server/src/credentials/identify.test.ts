import { expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { createCredentials } from "./create-credentials.ts"
import { openPorts } from "./fixtures/open-ports.ts"
import { bearerReader } from "./identify.ts"
import { writeCredential } from "./stored-credentials.ts"

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

it("I1: a runner's token is nobody else's, and says whether it conveys decisions", async () => {
  const credentials = createCredentials(openPorts())
  const made = await credentials.addToken(
    { id: "ci", kind: "runner", namesSessions: false, conveysDecisions: true },
    null,
  )
  if (isRefused(made)) throw new Error(made.detail)
  const authorization = `Bearer ${made.secret}`
  const known = await credentials.identify.runner(authorization)
  expect(known).toMatchObject({ token: "ci", conveysDecisions: true, secretId: expect.stringMatching(/^[\da-f]{16}$/) })
  expect(await credentials.identify.runnerNamed("ci")).toEqual(known)
  expect(await credentials.identify.agent(authorization)).toBeNull()
  expect(await credentials.identify.gate(authorization)).toBeNull()
  await credentials.close()
})

it("I5: a token from before its name was reserved speaks for nobody", async () => {
  const ports = openPorts()
  const secret = `byl_agent_${"a".repeat(43)}`
  const facts = { owner: null, namesSessions: false, createdAt: 0, createdBy: null, lastUsedAt: null }
  const value = { version: 1, kind: "agent", hash: ports.hasher.sha256(secret), ...facts } as const
  const documents = [writeCredential("token", "run", value)]
  await ports.store.commit({ at: 0, documents, records: [], events: [], durability: "full" })
  const credentials = createCredentials(ports)
  expect(await credentials.identify.agent(`Bearer ${secret}`)).toBeNull()
  expect((await credentials.listTokens()).map(({ id }) => id)).toEqual(["run"])
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

it("a program is one reader, however it writes its token; whatever is no token is one, too", () => {
  const token = `byl_gate_${"a".repeat(43)}`
  expect(["Bearer", "bearer", "BEARER"].map((scheme) => bearerReader(`${scheme} ${token}`))).toEqual(
    Array.from({ length: 3 }, () => `token ${token}`),
  )
  expect(["Bearer a", "Basic b", token].map(bearerReader)).toEqual(["no token", "no token", "no token"])
})
