import { type Grant, sessionKey } from "@byleave/core"

/** The key of the session that a grant is for; null: it is for more than one. */
export function grantSessionKey({ session }: Pick<Grant, "session">): string | null {
  return session === undefined ? null : sessionKey(session)
}

export function isForSession(
  grant: Pick<Grant, "session">,
  ref: { readonly principal: string; readonly id: string },
): boolean {
  return grantSessionKey(grant) === sessionKey(ref)
}
