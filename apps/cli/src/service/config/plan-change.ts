/**
 * The parts of a new configuration that apply at once, and those that wait for a person.
 *
 * Only what tightens holds at once: rules that refuse or ask more, settings that let fewer in, servers that are gone. A server that
 * is new, or is started otherwise than was accepted, is not started until somebody has said yes; nor is such a model used.
 */
import {
  comparePolicies,
  type JsonObject,
  type PolicyChange,
  type PolicyWithoutFolders,
  shownName,
  tightenedPolicy,
  withoutFolders,
} from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"
import { limitsOf, type ServerLimits, tightenedLimits, withLimits } from "../gateway/server-limits.ts"
import { folderNaming } from "../gateway/server-start.ts"
import { changedModels, type KnownModel } from "./known-models.ts"
import { type Settings, tightenedSettings } from "./settings.ts"

/** A server and the digest of how it is started. After a restart only the digest of what was accepted is known. */
export type KnownServer = {
  readonly id: string
  readonly start: string
  readonly config: ServerConfig | null
  /** As accepted; absent where `config` says it, or nobody wrote anything. */
  readonly limits?: ServerLimits
  /** Values it is given that must not be recorded. */
  readonly secrets?: readonly string[]
}

/** Everything a configuration decides. Where a server works goes with its start, and never with the policy: the two are accepted one by one. */
export type InForce = {
  readonly policy: PolicyWithoutFolders
  readonly servers: readonly KnownServer[]
  /** The first is the default. */
  readonly models: readonly KnownModel[]
  readonly settings: Settings
}

/** The secrets kept out of records: an edit that nobody has accepted decides nothing, also not what is seen. */
export function secretsInForce({ servers, models }: InForce): readonly string[] {
  return [...servers, ...models].flatMap(({ secrets = [] }) => secrets)
}

/** The changes, in sentences for the person who accepts them. */
export type Differences = {
  readonly tightens: readonly string[]
  readonly widens: readonly string[]
  readonly servers: readonly string[]
  /**
   * What rules are compared with, where their sentences mask it: under the same names, so that it is masked until it is revealed, must be revealed
   * before a yes, and is left out of records. Absent: the sentences say it all.
   */
  readonly compared?: ReadonlyArray<{ readonly rule: string; readonly when: readonly JsonObject[] }>
}

export type ChangePlan = {
  readonly now: InForce
  /** The changes that apply at once, in words. */
  readonly tightens: readonly string[]
  /** Null when nothing is left to wait for. */
  readonly waits: Differences | null
}

export function planChange(before: InForce, after: InForce, wordsOf: (server: ServerConfig) => string): ChangePlan {
  const policy = withoutFolders(tightenedPolicy(before.policy, after.policy))
  const settings = tightenedSettings(before, after)
  const servers = keptServers(before.servers, after.servers)
  const models = changedModels(before.models, after.models)
  const stricter = comparePolicies(before.policy, policy).tightens
  const wider = comparePolicies(policy, after.policy).widens
  const tightens = [...sentences(stricter), ...settings.tightens, ...servers.tightens, ...models.tightens]
  const widens = [...sentences(wider), ...settings.widens, ...servers.widens, ...models.widens]
  const started = after.servers.flatMap((server) => startSentence(server, before.servers, wordsOf))
  const isWhole = widens.length === 0 && started.length === 0
  return {
    // Where nothing waits, the new configuration holds word for word, its version and its places included.
    now: isWhole
      ? { ...after, models: models.settled }
      : { policy, servers: servers.kept, models: models.kept, settings: settings.settings },
    tightens,
    waits: isWhole ? null : { tightens, widens, servers: started, ...compared([...wider, ...stricter]) },
  }
}

function sentences(changes: ReadonlyArray<{ readonly sentence: string }>): readonly string[] {
  return changes.map(({ sentence }) => sentence)
}

function compared(changes: readonly PolicyChange[]): Pick<Differences, "compared"> {
  const masked = changes.flatMap(({ rule, hidden }) =>
    rule === undefined || hidden === undefined ? [] : [{ rule, when: hidden }],
  )
  return masked.length === 0 ? {} : { compared: masked }
}

function keptServers(before: readonly KnownServer[], after: readonly KnownServer[]) {
  const next = new Map(after.map((server) => [server.id, server]))
  const tightens = before.filter(({ id }) => !next.has(id)).map(({ id }) => `Server ${shownName(id)} was removed.`)
  const widens: string[] = []
  const kept = before.flatMap((server): readonly KnownServer[] => {
    const found = next.get(server.id)
    if (found === undefined) return []
    if (found.start !== server.start) return [server]
    const limited = tightenedLimits(found.id, limitsIn(server), limitsIn(found))
    tightens.push(...limited.tightens)
    widens.push(...limited.widens)
    return [{ ...found, config: found.config && withLimits(found.config, limited.limits), limits: limited.limits }]
  })
  return { kept, tightens, widens }
}

export function limitsIn({ config, limits }: KnownServer): ServerLimits {
  return config === null ? (limits ?? {}) : limitsOf(config)
}

/** The servers of a configuration that a person has accepted, each as it was started before: how it is started is accepted on its own. */
export function startedAsBefore(before: InForce, after: InForce): readonly KnownServer[] {
  const next = new Map(after.servers.map((server) => [server.id, server]))
  return before.servers.flatMap((server) => {
    const found = next.get(server.id)
    return found === undefined ? [] : [found.start === server.start ? found : server]
  })
}

function startSentence(
  server: KnownServer,
  before: readonly KnownServer[],
  wordsOf: (server: ServerConfig) => string,
): readonly string[] {
  if (server.config === null) return []
  const old = before.find(({ id }) => id === server.id)
  if (old?.start === server.start) return []
  // Its other settings change with its start, and not before.
  const { tightens, widens } = tightenedLimits(server.id, old === undefined ? {} : limitsIn(old), limitsIn(server))
  const limits = [...widens, ...tightens]
  if (old === undefined) return [addedServerSentence(server.id, wordsOf(server.config)), ...limits]
  const naming = folderNaming(old.start, server.start)
  if (naming !== null) return [`Server ${shownName(server.id)} is started as before, ${namingWords[naming]}`, ...limits]
  const was = old.config === null ? "unlike the accepted version" : `previously ${wordsOf(old.config)}`
  return [
    `Server ${shownName(server.id)} is now reached as ${wordsOf(server.config)}, ${was}. ${remembered(server.id)}`,
    ...limits,
  ]
}

const namingWords = {
  named: "and its folder is now written in the file: relative paths in its calls are judged from there.",
  "not named": "and its folder is no longer written in the file: relative paths in its calls can no longer be judged.",
} as const satisfies Record<NonNullable<ReturnType<typeof folderNaming>>, string>

/** The sentence that asks about a new server; `words` say how it is started or reached. */
export function addedServerSentence(id: string, words: string): string {
  return `Server ${shownName(id)} was added: ${words}. ${remembered(id)}`
}

/** Grants and accepted definitions belong to a name: a person who accepts another program under it is told so. */
function remembered(id: string): string {
  return `Existing permissions for ${shownName(id)} will apply to it.`
}
