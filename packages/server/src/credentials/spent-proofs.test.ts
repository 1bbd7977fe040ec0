import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openMemoryStore } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { openPorts } from "./fixtures/open-ports.ts"
import { createSpentProofs } from "./spent-proofs.ts"

describe("spent proofs", () => {
  it("of one device that asks without end keep no other from being heard, and are never taken twice", async () => {
    const now = () => 1_800_000_000_000
    const signer = ed25519Signer(newSigningKey())
    const store = openMemoryStore({ hasher: nodeHasher, signer, newId, now, elapsed: () => 0 })
    const { spend } = createSpentProofs({ store, now, hasher: nodeHasher })
    const of = (device: string, n: number) => ({ device, jti: `proof-${n}`, iat: now() / 1000 })
    let taken = 0
    for (let n = 0; n < 110_000; n += 1) if (await spend(of("looks", n), false)) taken += 1
    expect(taken).toBeLessThan(110_000)
    expect(await spend(of("decides", 1), true)).toBe(true)
    expect(await spend(of("decides", 1), true)).toBe(false)
    expect(await spend(of("looks", 1), false)).toBe(false)
    await store.close()
  })

  it("I1: that only read are not taken twice either, until nobody could use them any more", async () => {
    const ports = openPorts()
    const { spend } = createSpentProofs(ports)
    const proven = { device: "looks", jti: "proof-1", iat: ports.clock.now / 1000 }
    expect(await spend(proven, false)).toBe(true)
    expect(await spend(proven, false)).toBe(false)
    ports.clock.now += 2 * 60_000
    expect(await spend({ ...proven, jti: "proof-2" }, false)).toBe(true)
    expect(await spend(proven, false)).toBe(false)
    await ports.store.close()
  })
})
