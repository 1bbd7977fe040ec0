import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { keepPrivate, readIfThere } from "../files/private-file.ts"

const pathOf = (data: string) => join(data, "challenge")

/** The secret by which the holder of this data folder knows its service; made once. */
export function keepChallengeSecret(data: string): string {
  return keepPrivate(pathOf(data), () => randomBytes(32).toString("base64url"))
}

export function readChallengeSecret(data: string): string | undefined {
  return readIfThere(pathOf(data))
}

/** A challenge that only a holder of the secret can answer, and for one address alone: a program that passes the challenge on is not at that address. */
export function proofOf(secret: string, challenge: string, address: string): string {
  return nodeHasher.hmacSha256(secret, JSON.stringify(["byleave service", address, challenge]))
}

export function newChallenge(): string {
  return randomBytes(24).toString("base64url")
}
