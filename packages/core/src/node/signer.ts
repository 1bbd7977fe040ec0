import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto"
import type { Signer } from "../call/hasher.ts"
import { nodeHasher } from "./hasher.ts"

/** A new Ed25519 private key, as PKCS#8 in base64. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519")
  return privateKey.export({ format: "der", type: "pkcs8" }).toString("base64")
}

/** Signs audit heads with Ed25519. */
export function ed25519Signer(key: string): Signer {
  const privateKey = createPrivateKey({ key: Buffer.from(key, "base64"), format: "der", type: "pkcs8" })
  const publicKey = createPublicKey(privateKey)
  return {
    keyId: keyIdOf(publicKey),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64"),
    verify: (text, signature) => verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64")),
  }
}

function keyIdOf(publicKey: KeyObject): string {
  return nodeHasher.sha256(publicKey.export({ format: "der", type: "spki" }).toString("base64")).slice(0, 16)
}
