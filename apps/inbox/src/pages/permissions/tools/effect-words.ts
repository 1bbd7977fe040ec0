import type { PolicyView } from "@byleave/api"

export type ShownEffect = PolicyView["rules"][number]["effect"]

/** Labels of effects; `tone` only repeats what the words say. */
export const effectWords = {
  allow: { now: "Allowed", rule: "Allow", tone: "yes" },
  ask: { now: "Needs approval", rule: "Needs approval", tone: "wait" },
  deny: { now: "Denied", rule: "Deny", tone: "no" },
  hide: { now: "Hidden", rule: "Hide", tone: "plain" },
} as const satisfies Record<
  ShownEffect,
  { readonly now: string; readonly rule: string; readonly tone: "yes" | "wait" | "no" | "plain" }
>
