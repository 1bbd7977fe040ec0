/**
 * The people who may decide, and their PINs.
 *
 * I1. A PIN is changed only by whoever knows it.
 * I2. Whoever is removed is out with all their devices, and their votes count no more.
 * I3. The last reviewer stays: else nobody could decide, and whoever came next could name themselves.
 */
import type { ReviewerView } from "@byleave/api"
import { StoreError } from "@byleave/core"
import { notFound, type RefusedRequest, refuse } from "../refused.ts"
import { allCredentials, changeAccess, findCredential } from "./credential-book.ts"
import { type CredentialPorts, timeOf } from "./credential-ports.ts"
import { takePinTry, triesForgotten } from "./pin-tries.ts"
import { type Kept, writeCredential } from "./stored-credentials.ts"

export type ReviewerRequest = {
  readonly id: string
  readonly name: string
  readonly groups: readonly string[]
  readonly pin?: string
}

export async function addReviewer(
  ports: CredentialPorts,
  request: ReviewerRequest,
  by: string | null,
): Promise<ReviewerView | RefusedRequest> {
  if (request.pin === undefined && ports.presence() === "pin") {
    return refuse("bad-request", "A reviewer needs a PIN. Choose one together; they can change it later.")
  }
  const value = {
    version: 1 as const,
    name: request.name,
    groups: [...request.groups],
    pin: request.pin === undefined ? null : await ports.pinHash.make(request.pin),
    createdAt: timeOf(ports),
    createdBy: by,
  }
  const put = writeCredential("reviewer", request.id, value)
  const added = await changeAccess(ports, [put], [{ what: "reviewer", change: "added", name: request.id, by }])
  if (!added) return refuse("name-taken", `Reviewer ${request.id} already exists. Choose another ID.`)
  return reviewerView({ id: request.id, at: 1, value })
}

export async function listReviewers(ports: CredentialPorts): Promise<readonly ReviewerView[]> {
  return (await allCredentials(ports, "reviewer")).map(reviewerView)
}

/** With all their devices: nobody signs for a person who is gone. Two removals at once are judged one after the other: each moves the epoch, and the other rests on it. */
export async function removeReviewer(
  ports: CredentialPorts,
  id: string,
  by: string | null,
): Promise<RefusedRequest | null> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const { epoch } = await ports.store.decisionState()
    const reviewers = await allCredentials(ports, "reviewer")
    if (!reviewers.some((reviewer) => reviewer.id === id)) return notFound()
    if (reviewers.length === 1) {
      return refuse("last-reviewer", "This is the last reviewer who can decide. Add another one first.")
    }
    if (await removeWithDevices(ports, id, { by, epoch })) return null
  }
  throw new StoreError("busy", `what decisions rest on kept changing while the reviewer ${id} was removed. Try again.`)
}

/** Other changes that decisions rest on, such as saved permissions, move the epoch as well. */
const maxAttempts = 100

async function removeWithDevices(
  ports: CredentialPorts,
  id: string,
  { by, epoch }: { readonly by: string | null; readonly epoch: number },
): Promise<boolean> {
  const devices = (await allCredentials(ports, "device")).filter(({ value }) => value.reviewer === id)
  return changeAccess(
    ports,
    [
      { remove: { kind: "reviewer", id }, replaces: null },
      ...devices.map((device) => ({ remove: { kind: "device", id: device.id }, replaces: null })),
    ],
    [
      { what: "reviewer", change: "removed", name: id, by },
      ...devices.map((device) => ({ what: "device", change: "removed", name: device.id, by }) as const),
    ],
    // Their votes count no more.
    { movesEpoch: true, epoch },
  )
}

export type PinCodeChange = { readonly current?: string | undefined; readonly pin: string }

/** A person changes their own PIN, and says the old one where there is one. */
export async function changePin(
  ports: CredentialPorts,
  id: string,
  change: PinCodeChange,
): Promise<RefusedRequest | null> {
  const reviewer = await findCredential(ports, "reviewer", id)
  if (reviewer === null) return notFound()
  const known = await checkPin(ports, reviewer, change.current)
  if (known !== null) return known
  const value = { ...reviewer.value, pin: await ports.pinHash.make(change.pin) }
  const put = writeCredential("reviewer", id, value, { replaces: reviewer.at })
  const changed = await changeAccess(
    ports,
    [put, triesForgotten(id)],
    [{ what: "pin", change: "changed", name: id, by: id }],
  )
  return changed ? null : refuse("conflict", "It was changed in the meantime. Try again.")
}

/** Null when the PIN is theirs. Each try is counted before the PIN is looked at, so that no race gets more of them. */
export async function checkPin(
  ports: CredentialPorts,
  reviewer: Kept<"reviewer">,
  pin: string | undefined,
): Promise<RefusedRequest | null> {
  const stored = reviewer.value.pin
  if (stored === null) return ports.presence() === "none" ? null : refuse("wrong-pin", noPin)
  if (!(await takePinTry(ports, reviewer.id))) return refuse("too-many-tries", "Too many wrong PINs. Wait a minute.")
  if (pin !== undefined && (await ports.pinHash.check(pin, stored))) return null
  return refuse("wrong-pin", "Wrong PIN. After five wrong attempts you get one per minute.")
}

const noPin =
  "This reviewer has no PIN, and cannot choose one while one is required. Have a reviewer with a PIN remove them and add them again (byleave reviewers), or begin anew in another data folder: byleave init --data FOLDER."

export function reviewerView({ id, value }: Kept<"reviewer">): ReviewerView {
  const { name, groups, createdAt, createdBy } = value
  return { id, name, groups, hasPin: value.pin !== null, createdAt, createdBy }
}
