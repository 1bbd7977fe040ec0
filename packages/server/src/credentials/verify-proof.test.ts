import { newDeviceKey, signProof } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { isRefused } from "../refused.ts"
import { createCredentials } from "./create-credentials.ts"
import { openPorts } from "./fixtures/open-ports.ts"
import { readProof, registeredDevice } from "./verify-proof.ts"

const host = "127.0.0.1:7337"
const addresses = new Set([`http://${host}`])
const now = 1_800_000_000_000
const asked = { method: "POST", path: "/api/grants", body: "{}" }
const signed = { method: asked.method, url: `http://${host}${asked.path}`, body: asked.body, now }

describe("a proof", () => {
  it("I1: holds as it was signed, and not with another payload, another key or no signature", async () => {
    const [mine, theirs] = [await newDeviceKey({ extractable: false }), await newDeviceKey({ extractable: false })]
    const [head = "", payload = "", signature = ""] = (await signProof({ key: mine, ...signed })).split(".")
    const [theirHead = "", theirPayload = ""] = (await signProof({ key: theirs, ...signed })).split(".")
    const read = (...parts: readonly string[]) => readProof({ ...asked, proof: parts.join(".") }, addresses, now)
    expect(isRefused(await read(head, payload, signature))).toBe(false)
    for (const forged of [
      [head, theirPayload, signature],
      [theirHead, payload, signature],
      [head, payload, ""],
      [head, payload],
    ])
      expect(await read(...forged)).toMatchObject({ refusedWith: "bad-proof" })
  })

  it("I5: of a device that outlived its reviewer speaks for nobody", async () => {
    const ports = openPorts()
    const credentials = createCredentials(ports)
    await credentials.addReviewer({ id: "ana", name: "Ana", groups: [], pin: "1234" }, null)
    const { jwk } = await newDeviceKey({ extractable: false })
    const device = await credentials.addDevice({ reviewer: "ana", jwk, name: "page", presence: true }, null)
    if (isRefused(device)) throw new Error(device.detail)
    const proven = { device, jti: "proof-1", iat: now / 1000 }
    expect(isRefused(await registeredDevice(ports, proven))).toBe(false)
    // As when a sign-in and the removal of its reviewer meet.
    const remove = { remove: { kind: "reviewer", id: "ana" }, replaces: null }
    await ports.store.commit({ at: now, documents: [remove], records: [], events: [], durability: "full" })
    expect(await registeredDevice(ports, proven)).toMatchObject({ refusedWith: "not-signed-in" })
    await credentials.close()
  })
})
