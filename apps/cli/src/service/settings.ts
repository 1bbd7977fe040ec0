import type { Config } from "@byleave/formats"

/** What a configuration says besides its servers and its policy. */
export type Settings = {
  readonly presence: "pin" | "none"
  /** Whether an agent without a token may call, as the principal `anonymous`. */
  readonly anonymous: boolean
  readonly decideInClient: boolean
  /** How long arguments and results are kept, in milliseconds. */
  readonly retention: number
  /** Names this service answers to besides its own address, and origins besides its own. */
  readonly hosts: readonly string[]
  readonly origins: readonly string[]
}

const day = 24 * 60 * 60_000

/** The parts of a configuration that the loader may not know yet. */
type MoreConfig = Config & {
  readonly agents?: { readonly anonymous?: boolean }
  readonly decideInClient?: boolean
  readonly retention?: number | null
  readonly hosts?: readonly string[]
  readonly origins?: readonly string[]
}

export function settingsOf(config: MoreConfig): Settings {
  return {
    presence: config.reviewers.presence,
    anonymous: config.agents?.anonymous ?? false,
    decideInClient: config.decideInClient ?? false,
    retention: config.retention ?? 90 * day,
    hosts: config.hosts ?? [],
    origins: config.origins ?? [],
  }
}

type SettingChange = { readonly tightens: boolean; readonly sentence: string }
type Comparison<Value> = (before: Value, after: Value) => SettingChange | null

const within = (narrow: readonly string[], wide: readonly string[]) => narrow.every((name) => wide.includes(name))

function names(what: string): Comparison<readonly string[]> {
  return (before, after) => {
    if (within(before, after) && within(after, before)) return null
    const sentence = `${what}: ${before.join(", ") || "none"} before, ${after.join(", ") || "none"} now.`
    return { tightens: within(after, before), sentence }
  }
}

function flag(wider: boolean, words: string): Comparison<boolean> {
  return (before, after) =>
    before === after ? null : { tightens: after !== wider, sentence: `${words} is ${after} now.` }
}

const comparisons: { readonly [Key in keyof Settings]: Comparison<Settings[Key]> } = {
  presence: (before, after) =>
    before === after
      ? null
      : {
          tightens: after === "pin",
          sentence:
            after === "pin"
              ? "Approving needs the PIN now."
              : "Approving needs no PIN any more: a credential is enough.",
        },
  anonymous: flag(true, "Whether agents may call without a token"),
  decideInClient: flag(true, "Whether an answer given inside the agent's client counts"),
  retention: (before, after) =>
    before === after
      ? null
      : { tightens: false, sentence: `Arguments and results are kept ${Math.round(after / day)} days now.` },
  hosts: names("Names this service answers to"),
  origins: names("Pages that may speak with this service"),
}

/** Each setting as it may hold at once, and what must wait for a person, in words. */
export function tightenedSettings(before: Settings, after: Settings) {
  const tightens: string[] = []
  const widens: string[] = []
  const pick = <Key extends keyof Settings>(key: Key): Settings[Key] => {
    const change = comparisons[key](before[key], after[key])
    if (change !== null) (change.tightens ? tightens : widens).push(change.sentence)
    return change === null || change.tightens ? after[key] : before[key]
  }
  const settings: Settings = {
    presence: pick("presence"),
    anonymous: pick("anonymous"),
    decideInClient: pick("decideInClient"),
    retention: pick("retention"),
    hosts: pick("hosts"),
    origins: pick("origins"),
  }
  return { settings, tightens, widens }
}
