import { emptyPolicy, type JsonObject, type Policy, type PolicyWithoutFolders, withoutFolders } from "@byleave/core"
import type { Documents } from "../gateway/documents.ts"
import type { ServerLimits } from "../gateway/server-limits.ts"
import { withNamedFolder } from "../gateway/server-start.ts"
import { type InForce, type KnownServer, limitsIn } from "./plan-change.ts"
import { completeSettings, type Settings } from "./settings.ts"

/** The configuration that somebody has accepted last, as the store keeps it. Servers and models by digest only: their secrets stay outside. */
type Accepted = {
  readonly version: 1
  readonly policy: PolicyWithoutFolders
  /** `limits`: absent where an older Byleave wrote it. */
  readonly servers: ReadonlyArray<{ readonly id: string; readonly start: string; readonly limits?: ServerLimits }>
  /** Absent where an older Byleave wrote it. */
  readonly models?: ReadonlyArray<{ readonly name: string; readonly start: string }>
  readonly settings: Settings
}

const kind = "policy"
const id = "accepted"
export const acceptedSubject = `${kind}/${id}`

/** The configuration that was accepted last, with the version of its document, by which a replica notices that another one has written since. */
export async function findAccepted(
  documents: Documents,
): Promise<{ readonly accepted: InForce; readonly version: number } | undefined> {
  const found = await documents.find(kind, id)
  return found === undefined ? undefined : { accepted: acceptedOf(found.value), version: found.version }
}

function acceptedOf(value: JsonObject): InForce {
  if (value.version !== 1) {
    throw new Error("The store contains a configuration accepted by a newer Byleave. Update this one.")
  }
  const { policy: stored, servers, models = [], settings } = value as unknown as Accepted
  // Settings that an older Byleave did not know are as strict as in an empty policy.
  const policy: Policy = { ...emptyPolicy, ...stored, limits: { ...emptyPolicy.limits, ...stored.limits } }
  // An older Byleave kept the folders of servers with the policy.
  const inNamedFolder = new Set(policy.servers.flatMap(({ id, cwd }) => (cwd === undefined ? [] : [id])))
  return {
    policy: withoutFolders(policy),
    servers: servers.map(({ start, ...server }) => ({
      ...{ ...server, config: null },
      start: inNamedFolder.has(server.id) ? withNamedFolder(start) : start,
    })),
    models: models.map((model) => ({ ...model, config: null, words: "" })),
    settings: completeSettings(settings),
  }
}

/** False: another replica has written since that version (null: since there was none). */
export async function writeAccepted(documents: Documents, inForce: InForce, replaces: number | null): Promise<boolean> {
  const { policy, servers, settings } = inForce
  const models = inForce.models.map(({ name, start }) => ({ name, start }))
  const accepted: Accepted = { version: 1, policy, servers: servers.map(written), models, settings }
  return documents.replace(kind, id, accepted as unknown as JsonObject, replaces, { tell: true })
}

function written(server: KnownServer): Accepted["servers"][number] {
  return { id: server.id, start: server.start, limits: limitsIn(server) }
}
