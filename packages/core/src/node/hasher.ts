import { createHmac, hash } from "node:crypto"
import type { Hasher } from "../call/hasher.ts"

/** SHA-256 by node:crypto. */
export const nodeHasher: Hasher = {
  sha256: (text) => hash("sha256", text, "hex"),
  hmacSha256: (key, text) => createHmac("sha256", key).update(text).digest("hex"),
}
