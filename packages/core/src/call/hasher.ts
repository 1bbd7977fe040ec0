/** SHA-256 as a port: node:crypto where there is one, plain JavaScript in a browser. Text is hashed as UTF-8; hex comes out. */
export type Hasher = {
  readonly sha256: (text: string) => string
  readonly hmacSha256: (key: string, text: string) => string
}

/** Signs and checks audit heads. `keyId` names the key, so that a changed key is noticed as such. */
export type Signer = {
  readonly keyId: string
  readonly sign: (text: string) => string
  readonly verify: (text: string, signature: string) => boolean
}
