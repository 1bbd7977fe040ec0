/** Twins: names that are the same but for case. Some readers take either for the other, and of two the one that they like. */
import { foldedKey, type JsonObject } from "@byleave/core"

/** Alike for all twins, also by letters that only become one in the other case, such as the long s: as the reader of messages compares members. */
export const foldedName = foldedKey

/** Whether a member has one of these names but for case. */
export function hasTwin(object: JsonObject, names: readonly string[]): boolean {
  const folded = names.map(foldedName)
  return Object.keys(object).some((key) => !names.includes(key) && folded.includes(foldedName(key)))
}

/** The object without the member of this name, in any case. */
export function withoutTwins(object: JsonObject, name: string): JsonObject {
  const folded = foldedName(name)
  return Object.fromEntries(Object.entries(object).filter(([key]) => foldedName(key) !== folded))
}

/** What others wrote, with members of our own in it, and no twin beside them. */
export function withOwn(object: JsonObject, own: JsonObject): JsonObject {
  const folded = Object.keys(own).map(foldedName)
  const theirs = Object.entries(object).filter(([key]) => !folded.includes(foldedName(key)))
  return { ...own, ...Object.fromEntries(theirs) }
}
