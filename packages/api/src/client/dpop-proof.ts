import { SignJWT } from "jose"
import type { PublicJwk } from "../bodies.ts"

/** A device's key. The private part need not be extractable. */
export type DeviceKey = { readonly privateKey: CryptoKey; readonly jwk: PublicJwk }

export type ProofInput = {
  readonly key: DeviceKey
  readonly method: string
  readonly url: string
  /** The body's text exactly as sent; empty when there is none. */
  readonly body: string
  readonly now: number
}

/** A DPoP proof (RFC 9449) that also vouches for the body: `bsh` is the base64url SHA-256 of its bytes. */
export async function signProof({ key, method, url, body, now }: ProofInput): Promise<string> {
  const { origin, pathname } = new URL(url)
  return new SignJWT({ htm: method, htu: `${origin}${pathname}`, jti: crypto.randomUUID(), bsh: await bodyHash(body) })
    .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: key.jwk })
    .setIssuedAt(Math.floor(now / 1000))
    .sign(key.privateKey)
}

export async function bodyHash(body: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(body))
  return base64url(new Uint8Array(digest))
}

/** A new device key. In a page: not extractable, kept in origin-scoped storage. */
export async function newDeviceKey(options: { readonly extractable: boolean }): Promise<DeviceKey> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" }
  const pair = await crypto.subtle.generateKey(algorithm, options.extractable, ["sign", "verify"])
  return { privateKey: pair.privateKey, jwk: await publicPart(pair.publicKey) }
}

/** The device key kept as a private JWK, as terminals do. */
export async function deviceKeyFrom(jwk: JsonWebKey): Promise<DeviceKey> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" }
  const privateKey = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"])
  return { privateKey, jwk: { kty: "EC", crv: "P-256", x: jwk.x ?? "", y: jwk.y ?? "" } }
}

async function publicPart(key: CryptoKey): Promise<PublicJwk> {
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", key)
  return { kty: "EC", crv: "P-256", x, y }
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}
