export { nodeHasher } from "./hasher.ts"
export { newId } from "./new-id.ts"
export { ed25519Signer, newSigningKey } from "./signer.ts"
