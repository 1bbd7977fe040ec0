/**
 * Tokens that are revoked take along what goes on with them: connections, held calls, runs.
 *
 * I1. Whoever listens hears of every token that was revoked, here or at another process.
 * I2. Where nobody can tell whether another token has its name by now, none has.
 */
import type { EpochMs, Store, StoreEvent } from "@byleave/core"
import { type Identify, tokenOf } from "./identify.ts"

/** A token that is not there any more. `until`: when another got its name; what began later is that one's. */
export type RevokedToken = { readonly token: string; readonly until: EpochMs }

export type RevokedTokenPorts = {
  readonly store: Pick<Store, "subscribe">
  readonly identify: Pick<Identify, "forget" | "addedAt">
  readonly onTrouble: (trouble: unknown) => void
}

const never = Number.POSITIVE_INFINITY

/** Returns how to stop. For a token that is added, `until` covers everything that a former one of its name has left. */
export function onTokenRevoked(ports: RevokedTokenPorts, then: (revoked: RevokedToken) => unknown): () => void {
  const { store, identify, onTrouble } = ports
  const revoked = async (token: string): Promise<void> => {
    identify.forget()
    const addedAt = await identify.addedAt(token).catch((trouble: unknown) => void onTrouble(trouble))
    await then({ token, until: addedAt ?? never })
  }
  return store.subscribe((event) => {
    const token = changedToken(event)
    if (token !== null) void revoked(token).catch(onTrouble)
  })
}

/** The name of the token that a change is about. */
export function changedToken({ type, subject }: Pick<StoreEvent, "type" | "subject">): string | null {
  return type === "access.changed" && subject.startsWith("token/") ? subject.slice("token/".length) : null
}

/** Whether this is the token's own principal, or one behind it. */
export function isOfToken(token: string, principal: string): boolean {
  return tokenOf(principal) === token
}
