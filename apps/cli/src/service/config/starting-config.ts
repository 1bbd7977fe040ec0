import { randomBytes } from "node:crypto"
import { StoreError, withoutFolders } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import type { Config, ServerConfig } from "@byleave/formats"
import type { Documents } from "../gateway/documents.ts"
import { secretsGiven, startDigest } from "../gateway/server-start.ts"
import { findAccepted, writeAccepted } from "./accepted-config.ts"
import { knownModel } from "./known-models.ts"
import { type InForce, planChange } from "./plan-change.ts"
import { settingsOf } from "./settings.ts"

/**
 * Turns a file's configuration into what is compared: servers and models get digests, keyed by a key that the store keeps for all replicas.
 * `folder`: of the file, where servers start unless it says otherwise.
 */
export async function configReader(documents: Documents, folder: string): Promise<(config: Config) => InForce> {
  const kept = await documents.keep("key", "configuration", () => ({ key: randomBytes(32).toString("base64") }))
  const key = String(kept.key)
  return (config) => ({
    policy: withoutFolders(config.policy),
    servers: config.servers.map((server) => ({
      id: server.id,
      start: startDigest(server, folder, key, nodeHasher),
      config: server,
      secrets: secretsGiven(server, config.secrets),
    })),
    models: config.models.map((model) => knownModel(model, key, nodeHasher)),
    settings: settingsOf(config),
  })
}

/** Names for texts, from which nothing of them can be guessed; the same after a restart. */
export async function textVersions(documents: Documents): Promise<(text: string) => string> {
  const kept = await documents.keep("key", "configuration-text", () => ({ key: randomBytes(32).toString("base64") }))
  const key = String(kept.key)
  return (text) => nodeHasher.hmacSha256(key, text).slice(0, 16)
}

export type Start = {
  /** The configuration in force from the first call on. */
  readonly now: InForce
  /** The configuration of the file as far as it goes beyond that, to be proposed once there is a gate to ask. */
  readonly proposed: InForce
  /** The version of the document that says what was accepted last. */
  readonly accepted: number
}

/**
 * The first start accepts the file. Later ones take of it at once what tightens what was accepted last. Where replicas share the store
 * the policy lives there: of the file, only servers and models count.
 */
export async function startingConfig(
  documents: Documents,
  file: InForce,
  isShared: boolean,
  wordsOf: (server: ServerConfig) => string,
): Promise<Start> {
  const before = await findAccepted(documents)
  if (before === undefined && (await writeAccepted(documents, file, null))) {
    return { now: file, proposed: file, accepted: 1 }
  }
  // Replicas that start together for the first time agree on one.
  const found = before ?? (await findAccepted(documents))
  if (found === undefined) throw new StoreError("busy", "The accepted configuration kept changing. Start again.")
  const { accepted, version } = found
  const proposed = isShared ? { ...accepted, servers: file.servers, models: file.models } : file
  return { now: planChange(accepted, proposed, wordsOf).now, proposed, accepted: version }
}
