export { nodeHasher } from "./hasher.ts"
export { ed25519Signer, newSigningKey } from "./signer.ts"
