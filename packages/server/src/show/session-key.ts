import { type Hasher, sessionKey } from "@byleave/core"

/** A session's name in events: the same for the same session, and telling nothing of it. */
export function opaqueSession(session: { readonly principal: string; readonly id: string }, hasher: Hasher): string {
  return opaqueKey(sessionKey(session), hasher)
}

export function opaqueKey(key: string, hasher: Hasher): string {
  return hasher.sha256(`byleave session\n${key}`).slice(0, 32)
}
