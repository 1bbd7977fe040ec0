import { decodeJwt, EmbeddedJWK, jwtVerify } from "jose"
import { describe, expect, it } from "vitest"
import { bodyHash, deviceKeyFrom, newDeviceKey, signProof } from "./dpop-proof.ts"

const request = {
  method: "POST",
  url: "http://127.0.0.1:7337/api/verdicts?x=1#y",
  body: '{"é":1}',
  now: 1_800_000_000_500,
}

describe("signProof", () => {
  it("vouches for method, address without query, time and body, by a key nobody can take out", async () => {
    const key = await newDeviceKey({ extractable: false })
    const proof = await signProof({ key, ...request })
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", algorithms: ["ES256"] })
    expect(protectedHeader.jwk).toEqual(key.jwk)
    expect(payload).toMatchObject({
      htm: "POST",
      htu: "http://127.0.0.1:7337/api/verdicts",
      iat: 1_800_000_000,
      bsh: await bodyHash('{"é":1}'),
    })
    await expect(crypto.subtle.exportKey("jwk", key.privateKey)).rejects.toThrow()
  })

  it("gives the SHA-256 that FIPS 180 publishes, as base64url", async () => {
    expect(await bodyHash("abc")).toBe("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0")
  })

  it("never makes the same proof twice", async () => {
    const key = await newDeviceKey({ extractable: false })
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => decodeJwt(await signProof({ key, ...request })).jti),
    )
    expect(new Set(ids).size).toBe(20)
  })

  it("signs as the same device with the key read back from where a terminal keeps it", async () => {
    const key = await newDeviceKey({ extractable: true })
    const again = await deviceKeyFrom(await crypto.subtle.exportKey("jwk", key.privateKey))
    expect(again.jwk).toEqual(key.jwk)
    await jwtVerify(await signProof({ key: again, ...request }), EmbeddedJWK, { algorithms: ["ES256"] })
  })
})
