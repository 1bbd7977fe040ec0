import type { PolicyView } from "@byleave/api"

export type Effect = PolicyView["rules"][number]["effect"]

/** What becomes of a call, as people say it; `tone` only repeats what the words say. */
export const effectWords = {
  allow: { now: "Runs unasked", rule: "Allows", tone: "yes" },
  ask: { now: "Asks a person", rule: "Asks", tone: "wait" },
  deny: { now: "Is refused", rule: "Denies", tone: "no" },
  hide: { now: "Is hidden", rule: "Hides", tone: "plain" },
} as const satisfies Record<
  Effect,
  { readonly now: string; readonly rule: string; readonly tone: "yes" | "wait" | "no" | "plain" }
>
