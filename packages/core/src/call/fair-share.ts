/**
 * Whether one of several that share a limit may have so much of it: `own`, which is part of `all`.
 *
 * One alone may have all of `most`. Whatever the others have, something is left for one that comes, and what they have together is never more than a
 * third above `most`, however many they are.
 */
export function isFairShare(own: number, all: number, most: number): boolean {
  return own + 3 * all <= 4 * most
}
