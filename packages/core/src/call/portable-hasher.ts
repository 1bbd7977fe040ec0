import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Hasher } from "./hasher.ts"

/** SHA-256 in plain JavaScript, for browsers: theirs is asynchronous, and the engine is not. */
export const portableHasher: Hasher = {
  sha256: (text) => bytesToHex(sha256(utf8ToBytes(text))),
  hmacSha256: (key, text) => bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(text))),
}
