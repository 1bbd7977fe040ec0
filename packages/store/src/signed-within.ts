/** A record dated later than this after the signed head is signed with its own commit, so an unsigned one is not ours. */
export const signedWithinMs = 30_000
