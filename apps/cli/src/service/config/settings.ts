import { type BodyLimits, type Limits, quoted, wholeName } from "@byleave/core"
import { defaultService, formatDuration, type ServiceSettings } from "@byleave/formats"

/** A configuration's settings besides its servers and its policy, as plain JSON. */
export type Settings = {
  readonly presence: "pin" | "none"
  /** Whether an agent without a token may call, as the principal `anonymous`. */
  readonly anonymous: boolean
  /** Requests of one agent that are open at once; null: the usual number. */
  readonly openRequests: number | null
  /** Bytes of the bodies of one agent's open requests. */
  readonly bodyBytes: number
  /** Connections of all, from the next start on. */
  readonly connections: number
  readonly decideInClient: boolean
  /** How long arguments and results are kept, in milliseconds; null: indefinitely. */
  readonly retention: number | null
  /** Host names of this service besides its own address, and origins besides its own. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
  /** `group/reviewer`, sorted. */
  readonly groups: readonly string[]
  /** The file in which others say what they think of servers; null: none. */
  readonly reputation: ServiceSettings["reputation"]
}

export function settingsOf(config: ServiceSettings): Settings {
  const { agents, connections, decideInClient, retention, hosts, origins, reviewers, reputation } = config
  const groups = [...reviewers.groups].flatMap(([group, members]) => members.map((member) => `${group}/${member}`))
  const { presence } = reviewers
  const sorted = groups.sort()
  return { presence, ...agents, connections, decideInClient, retention, hosts, origins, groups: sorted, reputation }
}

/** Settings that an older Byleave did not know have their defaults. */
export function completeSettings(stored: Partial<Settings>): Settings {
  return { ...settingsOf(defaultService), ...stored }
}

/**
 * So many requests one agent may have open: unless that is written, at least as many as may wait, since each that will wait is open first.
 * Of all connections agents have three in four, so that there is always room for people.
 */
export function openRequestsOf({ openRequests, connections }: Settings, { waitingPerPrincipal }: Limits) {
  return {
    perPrincipal: openRequests ?? usualFor(waitingPerPrincipal),
    inAll: Math.floor(connections * 0.75),
  }
}

/** Four agents can have all they may; their calls that are small go on whatever the others send. */
export function bodyLimitsOf({ bodyBytes }: Settings): BodyLimits {
  return { perPrincipal: bodyBytes, inAll: 4 * bodyBytes }
}

function usualFor(waiting: number): number {
  return Math.max(usualOpenRequests, waiting)
}

const usualOpenRequests = 1_000

/** The groups the configuration puts a reviewer into. */
export function groupsOf({ groups }: Settings, reviewer: string): readonly string[] {
  return groups.filter((entry) => entry.endsWith(`/${reviewer}`)).map((entry) => entry.slice(0, -reviewer.length - 1))
}

type SettingChange = { readonly tightens: boolean; readonly sentence: string }
/** How many calls of one agent may wait. */
type Waiting = { readonly before: number; readonly after: number }
type Comparison<Value> = (before: Value, after: Value, waiting: Waiting) => SettingChange | null

const within = (narrow: readonly string[], wide: readonly string[]) => narrow.every((name) => wide.includes(name))

/** The names of an edit stand in quotes where they would read as more than one, or as no name. */
function listWords(list: readonly string[]): string {
  return list.map((name) => (name === nobody ? quoted(name) : wholeName(name))).join(", ") || nobody
}

const nobody = "none"

function names(what: string): Comparison<readonly string[]> {
  return (before, after) => {
    if (within(before, after) && within(after, before)) return null
    const sentence = `${what}: ${listWords(before)} → ${listWords(after)}.`
    return { tightens: within(after, before), sentence }
  }
}

function flag(wider: boolean, words: string): Comparison<boolean> {
  return (before, after) =>
    before === after ? null : { tightens: after !== wider, sentence: `${words} is ${after} now.` }
}

function most(what: string): Comparison<number> {
  return (before, after) => (before === after ? null : { tightens: after < before, sentence: `${what}: ${after} now.` })
}

const comparisons: { readonly [Key in keyof Settings]: Comparison<Settings[Key]> } = {
  presence: (before, after) =>
    before === after
      ? null
      : {
          tightens: after === "pin",
          sentence:
            after === "pin"
              ? "Approving calls now requires the PIN."
              : "Approving calls no longer requires the PIN: a credential is enough.",
        },
  anonymous: flag(true, "Agent calls without a token"),
  decideInClient: flag(true, "Decisions made inside the agent's client"),
  openRequests: (before, after, waiting) => {
    // Unwritten, it goes with how many may wait, which may be the old number or the new one.
    const [old, now] = [before ?? usualFor(waiting.before), after ?? usualFor(Math.max(waiting.before, waiting.after))]
    return before === after ? null : most("Open requests per agent")(old, now, waiting)
  },
  bodyBytes: most("Body bytes of an agent's open requests"),
  connections: most("Concurrent connections"),
  retention: (before, after) => {
    if (before === after) return null
    const long = after === null ? "indefinitely" : `for ${formatDuration(after)}`
    return { tightens: false, sentence: `Arguments and results are now kept ${long}.` }
  },
  hosts: names("Host names of this service"),
  origins: names("Origins allowed to use this service"),
  groups: names("Reviewers in groups"),
  reputation: (before, after) => {
    if (before?.file === after?.file && before?.key === after?.key) return null
    if (after === null) return { tightens: true, sentence: "What others think of servers is no longer shown." }
    const [file, key] = [wholeName(after.file), wholeName(after.key)]
    const sentence = `What others think of servers is shown from ${file}, if it is signed with the key ${key}.`
    return { tightens: false, sentence }
  },
}

type WithLimits = { readonly settings: Settings; readonly policy: { readonly limits: Limits } }

/** Each setting as it may hold at once, and what must wait for a person, in words. */
export function tightenedSettings(
  { settings: before, policy: old }: WithLimits,
  { settings: after, policy }: WithLimits,
) {
  const waiting = { before: old.limits.waitingPerPrincipal, after: policy.limits.waitingPerPrincipal }
  const tightens: string[] = []
  const widens: string[] = []
  const pick = <Key extends keyof Settings>(key: Key): Settings[Key] => {
    const change = comparisons[key](before[key], after[key], waiting)
    if (change !== null) (change.tightens ? tightens : widens).push(change.sentence)
    return change === null || change.tightens ? after[key] : before[key]
  }
  const settings: Settings = {
    presence: pick("presence"),
    anonymous: pick("anonymous"),
    decideInClient: pick("decideInClient"),
    openRequests: pick("openRequests"),
    bodyBytes: pick("bodyBytes"),
    connections: pick("connections"),
    retention: pick("retention"),
    hosts: pick("hosts"),
    origins: pick("origins"),
    groups: pick("groups"),
    reputation: pick("reputation"),
  }
  return { settings, tightens, widens }
}
