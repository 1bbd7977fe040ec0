/**
 * Which device signed a request. A proof is good for one method, path and body, for 60 seconds, once.
 *
 * Nothing is learnt from a proof before its signature holds, and nothing is kept of it before its key is known to be
 * registered: a stranger can fill no memory.
 *
 * I1. A proof is made with the key it names, over what it says: one that was changed holds for nobody.
 * I2. It is good for one body: no verdict can be put in the place of another.
 * I3. It is good for one method and one address, scheme and all, at which the service is surely reached.
 * I4. It is good for a minute, by our clock.
 * I5. A key speaks for somebody only while it is registered and they are a reviewer.
 */
import { bodyHash, publicJwk } from "@byleave/api"
import { EmbeddedJWK, jwtVerify } from "jose"
import { z } from "zod"
import { type RefusedRequest, refuse } from "../refused.ts"
import { findCredential } from "./credential-book.ts"
import type { CredentialPorts } from "./credential-ports.ts"
import { deviceIdOf } from "./devices.ts"
import type { Kept } from "./stored-credentials.ts"

export type SignedRequest = {
  readonly proof: string
  readonly method: string
  readonly path: string
}

export type Proven = { readonly device: string; readonly jti: string; readonly iat: number }

/** `bsh`: the hash of the body it was made for. */
export type ProvenForBody = Proven & { readonly bsh: string }

const windowS = 60
const claims = z.object({
  htm: z.string(),
  htu: z.url(),
  iat: z.number(),
  jti: z.string().min(8).max(200),
  bsh: z.string(),
})

/** The key behind a proof, when all it says is true of this request but for its body. Registered or not is not asked here. */
export async function readProof(
  request: SignedRequest,
  addresses: ReadonlySet<string>,
  nowMs: number,
): Promise<ProvenForBody | RefusedRequest> {
  const read = await verified(request.proof)
  if (read === null) return bad("It is not a DPoP proof signed with ES256 by the key it names.")
  const { device, said } = read
  if (said.htm !== request.method) return bad("It was made for another method.")
  if (!isHere(said.htu, request.path, addresses)) return bad("It was made for another address.")
  if (Math.abs(nowMs / 1000 - said.iat) > windowS) {
    return bad("It is too old or from the future. Check that the clocks are in sync.")
  }
  return { device, jti: said.jti, iat: said.iat, bsh: said.bsh }
}

/** Whether the proof was made for this body; null: it was. */
export async function checkBody(proven: ProvenForBody, body: string): Promise<RefusedRequest | null> {
  return proven.bsh === (await bodyHash(body)) ? null : bad("It was made for another body.")
}

async function verified(
  proof: string,
): Promise<{ readonly device: string; readonly said: z.infer<typeof claims> } | null> {
  if (proof.length > 4_096) return null
  try {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
      algorithms: ["ES256"],
      typ: "dpop+jwt",
    })
    const jwk = publicJwk.safeParse(protectedHeader.jwk)
    const said = claims.safeParse(payload)
    return jwk.success && said.success ? { device: await deviceIdOf(jwk.data), said: said.data } : null
  } catch {
    // jose throws for every way a proof can be wrong; all of them are one refusal.
    return null
  }
}

function isHere(htu: string, path: string, addresses: ReadonlySet<string>): boolean {
  const url = new URL(htu)
  return addresses.has(url.origin) && url.pathname === path && url.username === "" && url.password === ""
}

function bad(detail: string): RefusedRequest {
  return refuse("bad-proof", `Invalid proof. ${detail}`)
}

/** Neither can be told from the key, and each has its own way back. */
const signedOut =
  "This device is not signed in, or was signed out. Sign a browser in with a link from byleave open, a terminal with byleave init."

export async function registeredDevice(
  ports: CredentialPorts,
  proven: Proven,
): Promise<{ readonly device: Kept<"device">; readonly reviewer: Kept<"reviewer"> } | RefusedRequest> {
  const device = await findCredential(ports, "device", proven.device)
  const reviewer = device === null ? null : await findCredential(ports, "reviewer", device.value.reviewer)
  if (device === null || reviewer === null) {
    return refuse("not-signed-in", signedOut)
  }
  return { device, reviewer }
}
