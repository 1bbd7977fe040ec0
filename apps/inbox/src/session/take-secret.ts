/**
 * The one-time secret of a sign-in link.
 *
 * I1. It is gone from the address bar and the history before anything else happens.
 */
export type AddressBar = { readonly pathname: string; readonly hash: string }

/** Taken once; null where there is none. */
export function takeSecret(
  place: AddressBar,
  history: { readonly replaceState: (state: unknown, title: string, url: string) => void },
): string | null {
  if (place.pathname !== "/sign-in" || place.hash.length < 2) return null
  // Read first: the place is the address bar itself.
  const secret = place.hash.slice(1)
  history.replaceState(null, "", "/sign-in")
  return secret
}
