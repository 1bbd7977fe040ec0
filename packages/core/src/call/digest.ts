import type { Hasher } from "./hasher.ts"
import { canonicalJson } from "./json/canonical-json.ts"
import type { JsonObject } from "./json/json.ts"

/**
 * The digest that an approval is bound to: SHA-256, in hex, of the canonical form. A reordered key or a number spelled differently
 * is the same request and must not cost a second approval.
 */
export function argsDigest(args: JsonObject, hasher: Hasher): string {
  return hasher.sha256(canonicalJson(args))
}
