import type { DeviceView, PublicJwk } from "@byleave/api"
import { calculateJwkThumbprint } from "jose"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"
import { allCredentials, changeAccess, findCredential } from "./credential-book.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { type Kept, type Stored, writeCredential } from "./stored-credentials.ts"

export type DeviceRequest = {
  readonly reviewer: string
  readonly jwk: PublicJwk
  readonly name: string
  /** Registered with the PIN; for a terminal's key: sealed by it. */
  readonly presence: boolean
  /** Of an extension, which a person must approve first. */
  readonly origin?: string
}

export function deviceIdOf(jwk: PublicJwk): Promise<string> {
  return calculateJwkThumbprint(jwk, "sha256")
}

/** Registers a terminal's key, without a link: for the composition, which holds the data itself. */
export async function addDevice(
  ports: CredentialPorts,
  request: DeviceRequest,
  by: string | null,
): Promise<string | RefusedRequest> {
  const id = await deviceIdOf(request.jwk)
  const put = writeCredential("device", id, newDevice(ports, request, "terminal"))
  const added = await changeAccess(ports, [put], [{ what: "device", change: "added", name: id, by }])
  return added ? id : refuse("name-taken", "This key is already registered. Create a new one.")
}

export function newDevice(ports: CredentialPorts, request: DeviceRequest, kind: DeviceView["kind"]): Stored<"device"> {
  const { reviewer, jwk, name, presence, origin } = request
  const of = origin === undefined ? {} : { origin }
  return { version: 1, reviewer, jwk, name, kind, presence, ...of, createdAt: timeOf(ports), lastSeenAt: null }
}

export async function listDevices(ports: CredentialPorts): Promise<readonly DeviceView[]> {
  return (await allCredentials(ports, "device")).map(deviceView)
}

export async function revokeDevice(
  ports: CredentialPorts,
  id: string,
  by: string | null,
): Promise<RefusedRequest | null> {
  if ((await ports.store.document("device", id, timeOf(ports))) === undefined) return notFound()
  const remove = { remove: { kind: "device", id }, replaces: null }
  await changeAccess(ports, [remove], [{ what: "device", change: "removed", name: id, by }])
  return null
}

/** A person lets an extension in that was registered with their link and PIN. */
export async function approveDevice(ports: CredentialPorts, id: string, by: string): Promise<RefusedRequest | null> {
  const device = await findCredential(ports, "device", id)
  if (device === null) return notFound()
  if (!waitsForApproval(device)) return null
  const value = { ...device.value, approved: { by, at: timeOf(ports) } }
  const put = writeCredential("device", id, value, { replaces: device.at })
  const changed = await changeAccess(ports, [put], [{ what: "device", change: "changed", name: id, by }])
  return changed ? null : refuse("conflict", "It changed in the meantime. Review it again. Nothing was changed.")
}

export function waitsForApproval({ value }: Kept<"device">): boolean {
  return value.origin !== undefined && value.approved === undefined
}

export function deviceView(device: Kept<"device">): DeviceView {
  const { id, value } = device
  const { reviewer, name, presence, createdAt, lastSeenAt, origin = null } = value
  // Before it was kept, terminals were known by the names they were given.
  const kind = value.kind ?? (/^terminal(,|$)/.test(name) ? "terminal" : "browser")
  const waits = waitsForApproval(device)
  return { id, reviewer, name, kind, presence, origin, waits, createdAt, lastSeenAt }
}
