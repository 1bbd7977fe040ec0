import type { Refusal } from "../../approval/refusal.ts"
import type { Call } from "../../call/call.ts"
import type { PolicySnapshot } from "../policy-snapshots.ts"
import { type CredentialUse, revokedRefusal } from "../revocations.ts"
import { refusedTarget } from "./denied-too-often.ts"

/**
 * Why a call does not go on that policy allows or asks about: its credential was revoked, or its tool is blocked. Null: it does. Asked of every call that
 * no reviewer has approved, when it is judged, claimed and sent. `asks`: a reviewer would be asked about it.
 */
export function refusedNow(
  snapshot: PolicySnapshot,
  call: Pick<Call, "kind" | "tool" | "session">,
  { asks, ...use }: CredentialUse & { readonly asks: boolean },
): Refusal | null {
  if (snapshot.isRevoked(use)) return revokedRefusal(call)
  const { starter } = use
  return refusedTarget(snapshot, call, { asks, ...(starter === undefined ? {} : { starter }) })
}
