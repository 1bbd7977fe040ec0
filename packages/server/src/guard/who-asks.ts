/**
 * The caller of the reviewers' part of the contract.
 *
 * I1. A token of an agent or a program opens nothing here, not even beside a reviewer's proof.
 * I2. A person is there only where the device was registered with their PIN, or presence is off.
 * I3. Nothing is kept of a request whose key is not registered, and its body is not read: a stranger fills no memory.
 * I4. A device that is revoked while its request is read does nothing more.
 * I5. The key of an extension speaks for nobody until a person has approved it, and for no other origin than it was registered from.
 */
import type { Reviewer } from "@byleave/core"
import { findCredential, noteCredential } from "../credentials/credential-book.ts"
import { type CredentialPorts, timeOf } from "../credentials/credential-ports.ts"
import { waitsForApproval } from "../credentials/devices.ts"
import type { SpentProofs } from "../credentials/spent-proofs.ts"
import { type Kept, writeCredential } from "../credentials/stored-credentials.ts"
import { checkBody, type ProvenForBody, readProof, registeredDevice } from "../credentials/verify-proof.ts"
import { isRefused, type RefusedRequest, refuse } from "../refused.ts"
import { isExtensionOrigin } from "./extension-origin.ts"

/** The person behind a request, by their device's key; the body has no say in it. */
export type RequestIdentity = {
  readonly reviewer: Reviewer
  readonly person: Kept<"reviewer">
  readonly device: Kept<"device">
  /** Whether a person is there: the device was registered with the PIN, or presence is off. */
  readonly present: boolean
}

export type Asking = {
  readonly credentials: CredentialPorts
  readonly spent: SpentProofs
  readonly addresses: ReadonlySet<string>
  /** Origins whose pages are answered whoever signs. */
  readonly origins: ReadonlySet<string>
  /** Does work for a device; absent: as it is. */
  readonly asReader?: <Result>(reader: string, work: () => Result) => Result
}

type ReadText = (reviewer: string) => Promise<string | RefusedRequest>
type Known = { readonly who: RequestIdentity; readonly text: string }

/** `readText`: reads the body, once it is known for whom. */
export async function whoAsks(asking: Asking, request: Request, readText: ReadText): Promise<Known | RefusedRequest> {
  if (request.headers.has("authorization")) {
    return refuse("wrong-credential", "Agent and program tokens cannot be used here. Sign in as a reviewer.")
  }
  const proof = request.headers.get("dpop")
  if (proof === null) return refuse("not-signed-in", "Sign in first: get a link with byleave open.")
  const path = new URL(request.url).pathname
  const proven = await readProof({ proof, method: request.method, path }, asking.addresses, asking.credentials.now())
  if (isRefused(proven)) return proven
  const { asReader = (_, work) => work() } = asking
  return asReader(`device ${proven.device}`, () => personBehind(asking, request, proven, readText))
}

async function personBehind(
  asking: Asking,
  request: Request,
  proven: ProvenForBody,
  readText: ReadText,
): Promise<Known | RefusedRequest> {
  const begun = await registeredDevice(asking.credentials, proven)
  if (isRefused(begun)) return begun
  const stranger = refusedExtension(asking, request, begun.device)
  if (stranger !== null) return stranger
  const text = await readText(begun.reviewer.id)
  if (isRefused(text)) return text
  const registered = text === "" ? begun : await registeredDevice(asking.credentials, proven)
  if (isRefused(registered)) return registered
  const otherBody = await checkBody(proven, text)
  if (otherBody !== null) return otherBody
  if (!(await asking.spent.spend(proven, request.method !== "GET"))) {
    return refuse("bad-proof", "Invalid proof. It was already used; sign each request separately.")
  }
  const { device, reviewer: person } = registered
  await noteSeen(asking.credentials, device)
  const groups = new Set([...person.value.groups, ...(asking.credentials.groupsOf?.(person.id) ?? [])])
  const who: RequestIdentity = {
    reviewer: { id: person.id, groups: [...groups], since: person.value.createdAt },
    person,
    device,
    present: device.value.presence || asking.credentials.presence() === "none",
  }
  return { who, text }
}

/** A browser sends no origin with what only reads: there the key alone says whose request it is. */
function refusedExtension(asking: Asking, request: Request, device: Kept<"device">): RefusedRequest | null {
  const origin = request.headers.get("origin")
  const { origin: own } = device.value
  const isForeign = isExtensionOrigin(origin) && !asking.origins.has(origin)
  if ((isForeign && origin !== own) || (own !== undefined && origin !== null && origin !== own)) {
    return refuse("foreign-origin", "This key was registered from another origin.")
  }
  return waitsForApproval(device) ? refuse("device-waits", stillWaits) : null
}

const stillWaits =
  "This browser waits for approval. Approve it under Settings, from a browser that is signed in already."

export function needPresence(who: RequestIdentity): RefusedRequest | null {
  if (who.present) return null
  return refuse("presence-needed", pinNeeded)
}

const pinNeeded =
  "This needs your PIN: sign in with a link from byleave open and your PIN, or enter it in the terminal."

const coarseMs = 60 * 60_000

async function noteSeen(ports: CredentialPorts, device: Kept<"device">): Promise<void> {
  const now = timeOf(ports)
  if (now - (device.value.lastSeenAt ?? 0) < coarseMs) return
  const fresh = await findCredential(ports, "device", device.id)
  if (fresh === null) return
  const value = { ...fresh.value, lastSeenAt: now - (now % coarseMs) }
  await noteCredential(ports, [writeCredential("device", device.id, value, { replaces: fresh.at })])
}
