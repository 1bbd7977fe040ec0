import { newDeviceKey, signProof } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { approveDevice, deviceIdOf, newDevice } from "../credentials/devices.ts"
import { openPorts } from "../credentials/fixtures/open-ports.ts"
import { createSpentProofs } from "../credentials/spent-proofs.ts"
import { writeCredential } from "../credentials/stored-credentials.ts"
import { checkSender, mayProveItself, senderOf } from "./check-sender.ts"
import { whoAsks } from "./who-asks.ts"

it("I3: nothing is kept of a stranger's requests, however well they are signed", async () => {
  const credentials = openPorts()
  const host = "127.0.0.1:7337"
  const asking = {
    credentials,
    spent: createSpentProofs(credentials),
    addresses: new Set([`http://${host}`]),
    origins: new Set<string>(),
  }
  const key = await newDeviceKey({ extractable: false })
  const url = `http://${host}/api/grants`
  const dpop = await signProof({ key, method: "POST", url, body: "{}", now: credentials.clock.now })
  const read: string[] = []
  const readText = async (reviewer: string): Promise<string> => {
    read.push(reviewer)
    return "{}"
  }
  for (let again = 0; again < 2; again += 1) {
    const request = new Request(url, { method: "POST", body: "{}", headers: { dpop } })
    expect(await whoAsks(asking, request, readText)).toMatchObject({ refusedWith: "not-signed-in" })
  }
  expect(await credentials.store.documents("proof", { limit: 10, now: credentials.clock.now })).toEqual([])
  expect(read).toEqual([])
  await credentials.store.close()
})

describe("an extension", () => {
  const host = "127.0.0.1:7337"
  const url = `http://${host}/api/grants`
  const own = `chrome-extension://${"a".repeat(32)}`
  const other = `chrome-extension://${"b".repeat(32)}`

  async function pairedExtension() {
    const credentials = openPorts()
    const spent = createSpentProofs(credentials)
    const asking = { credentials, spent, addresses: new Set([`http://${host}`]), origins: new Set([`http://${host}`]) }
    const key = await newDeviceKey({ extractable: false })
    const reviewer = { version: 1, name: "Ada", groups: [], pin: null, createdAt: 0, createdBy: null } as const
    const device = newDevice(
      credentials,
      { reviewer: "ada", jwk: key.jwk, name: "panel", presence: true, origin: own },
      "browser",
    )
    const id = await deviceIdOf(key.jwk)
    await credentials.store.commit({
      at: credentials.clock.now,
      documents: [
        writeCredential("reviewer", "ada", { ...reviewer, groups: [] }),
        writeCredential("device", id, device),
      ],
      records: [],
      events: [],
      durability: "full",
    })
    const ask = async (method: "GET" | "POST", origin: string | null) => {
      const body = method === "GET" ? "" : "{}"
      const dpop = await signProof({ key, method, url, body, now: credentials.clock.now })
      const headers = { dpop, ...(origin === null ? {} : { origin }) }
      const request = new Request(url, { method, headers, ...(body === "" ? {} : { body }) })
      return whoAsks(asking, request, async () => body)
    }
    return { credentials, id, ask }
  }

  it("I5: may do nothing until a person has approved it, and then only from its own origin", async () => {
    const { credentials, id, ask } = await pairedExtension()
    for (const [method, origin] of [
      ["GET", null],
      ["POST", own],
    ] as const) {
      expect(await ask(method, origin), method).toMatchObject({ refusedWith: "device-waits" })
    }
    expect(await approveDevice(credentials, id, "ada")).toBeNull()
    for (const [method, origin] of [
      ["GET", null],
      ["POST", own],
    ] as const) {
      expect(await ask(method, origin), method).toMatchObject({ who: { reviewer: { id: "ada" } } })
    }
    for (const origin of [other, `http://${host}`, "https://evil.example"]) {
      expect(await ask("POST", origin), origin).toMatchObject({ refusedWith: "foreign-origin" })
    }
    await credentials.store.close()
  })

  it.each([
    { name: "at the API with a proof", path: "/api/runs", headers: { dpop: "x" }, may: true },
    { name: "without a proof", path: "/api/runs", headers: {}, may: false },
    { name: "with a token besides", path: "/api/runs", headers: { dpop: "x", authorization: "Bearer y" }, may: false },
    { name: "at MCP", path: "/mcp", headers: { dpop: "x" }, may: false },
  ])("is let in as far as its key, $name: $may", ({ path, headers, may }) => {
    const request = new Request(`http://${host}${path}`, { method: "POST", headers: { origin: own, ...headers } })
    expect(checkSender(senderOf(request), new Set([host]), new Set())).toMatchObject({ refusedWith: "foreign-origin" })
    expect(mayProveItself(request)).toBe(may)
  })
})
