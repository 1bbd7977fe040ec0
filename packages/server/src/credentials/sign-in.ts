/**
 * Links that register the key of a browser.
 *
 * I1. A link registers one key, whoever else uses it at the same moment.
 * I2. Where presence asks for a PIN, no link is enough without the reviewer's.
 * I3. A device counts as present only when a PIN was checked for it.
 * I4. A link is over after ten minutes.
 * I5. The key of an extension is registered with its origin, and has no say until a person has approved that.
 */
import type { PublicJwk, SignedIn } from "@byleave/api"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"
import { changeAccess, findCredential } from "./credential-book.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { deviceIdOf, newDevice } from "./devices.ts"
import { triesForgotten } from "./pin-tries.ts"
import { randomSecret } from "./random-secret.ts"
import { checkPin, reviewerView } from "./reviewers.ts"
import { writeCredential } from "./stored-credentials.ts"

const linkMs = 10 * 60_000

export type MintedLink = { readonly link: string; readonly reviewer: string; readonly expiresAt: number }

/** A secret that registers one browser's key, once, together with the reviewer's PIN. */
export async function mintLink(
  ports: CredentialPorts,
  reviewer: string,
  by: string | null,
): Promise<MintedLink | RefusedRequest> {
  if ((await findCredential(ports, "reviewer", reviewer)) === null) return notFound()
  const link = randomSecret()
  const expiresAt = timeOf(ports) + linkMs
  const value = { version: 1 as const, reviewer, mintedBy: by }
  const put = writeCredential("sign-in", ports.hasher.sha256(link), value, { expiresAt })
  await changeAccess(ports, [put], [{ what: "sign-in", change: "added", name: reviewer, by }])
  return { link, reviewer, expiresAt }
}

export type SignInRequest = {
  readonly link: string
  readonly pin?: string
  readonly jwk: PublicJwk
  readonly name: string
  /** Of the extension that asks; absent: it is a page of the service. */
  readonly origin?: string
}

/** A wrong PIN costs a try and leaves the link; a right one spends it, in the commit that registers the key. */
export async function signIn(ports: CredentialPorts, request: SignInRequest): Promise<SignedIn | RefusedRequest> {
  const link = await findCredential(ports, "sign-in", ports.hasher.sha256(request.link))
  if (link === null) return spent
  const reviewer = await findCredential(ports, "reviewer", link.value.reviewer)
  if (reviewer === null) return spent
  const withPin = ports.presence() === "pin" || request.pin !== undefined
  const wrong = withPin ? await checkPin(ports, reviewer, request.pin) : null
  if (wrong !== null) return wrong
  const presence = withPin && reviewer.value.pin !== null
  const device = await deviceIdOf(request.jwk)
  const { jwk, name, origin } = request
  const from = origin === undefined ? {} : { origin }
  const value = newDevice(ports, { reviewer: reviewer.id, jwk, name, presence, ...from }, "browser")
  const registered = await changeAccess(
    ports,
    [
      { remove: { kind: "sign-in", id: link.id }, replaces: link.at },
      writeCredential("device", device, value),
      ...(withPin ? [triesForgotten(reviewer.id)] : []),
    ],
    [{ what: "device", change: "added", name: device, by: reviewer.id }],
  )
  return registered ? { reviewer: reviewerView(reviewer), device, presence } : spent
}

const spent = refuse(
  "link-spent",
  "This link was already used, has expired or is invalid. Create a new one with byleave open.",
)
