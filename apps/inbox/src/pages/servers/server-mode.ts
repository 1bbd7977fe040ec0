/** The general answer to a server's calls, as the grants that mean it: every tool, every session. */
import type { GrantView } from "@byleave/api"

export type ServerMode = "ask" | "never-ask" | "refuse"

export type ServerModeNow = {
  readonly mode: ServerMode
  /** The grants that make it so, and any that a stronger one outweighs. */
  readonly grants: readonly GrantView[]
  /** When it goes back by itself; null: never. */
  readonly until: number | null
  /** Other permissions about this server. */
  readonly others: number
}

export function serverModeNow(grants: readonly GrantView[], server: string): ServerModeNow {
  const about = grants.filter(({ breadth }) => breadth.server === server)
  const general = about.filter(isGeneral)
  const deciding = general.filter(({ effect }) => effect === "deny")
  const inForce = deciding.length > 0 ? deciding : general
  return {
    mode: general.length === 0 ? "ask" : deciding.length > 0 ? "refuse" : "never-ask",
    grants: general,
    until: inForce.length === 0 ? null : lastEnd(inForce),
    others: about.length - general.length,
  }
}

/** A pattern may cover other servers as well, and uses run out by the number: neither is a mode. */
function isGeneral({ breadth, session, usesLeft }: GrantView): boolean {
  return breadth.kind === "server" && breadth.access === "all" && session === undefined && usesLeft === undefined
}

function lastEnd(grants: readonly GrantView[]): number | null {
  const ends = grants.map(({ until }) => until)
  return ends.includes(undefined) ? null : Math.max(...ends.map((end) => end ?? 0))
}

/** One change of what is remembered. */
type ServerModeStep =
  | { readonly kind: "add"; readonly effect: "allow" | "deny" }
  | { readonly kind: "revoke"; readonly grant: GrantView }

/**
 * The steps to a mode, in this order. The new answer is added before the old ones go, and a yes goes before a no: wherever it
 * stops half way, no more runs than before or than was wanted.
 */
export function stepsTo(wanted: ServerMode, now: ServerModeNow): readonly ServerModeStep[] {
  const effect = wanted === "ask" ? null : wanted === "never-ask" ? "allow" : "deny"
  const kept = now.grants.find((grant) => grant.effect === effect && grant.until === undefined)
  const add: readonly ServerModeStep[] = effect === null || kept !== undefined ? [] : [{ kind: "add", effect }]
  const revoke = now.grants
    .filter((grant) => grant !== kept)
    .toSorted((one, other) => Number(one.effect === "deny") - Number(other.effect === "deny"))
    .map((grant) => ({ kind: "revoke", grant }) as const)
  return [...add, ...revoke]
}

export const serverModeWords = {
  ask: {
    label: "Ask",
    sentence: "Rules and other permissions decide. Anything else needs approval.",
  },
  "never-ask": {
    label: "Never ask",
    sentence:
      "Every call of every tool on this server runs immediately, for every agent and session, until you change it back. " +
      "Rules that hide, deny or always ask still apply, and tools whose definition changed still need approval.",
  },
  refuse: {
    label: "Deny",
    sentence: "Every call of every tool on this server is denied immediately, for every agent and session.",
  },
} as const satisfies Record<ServerMode, { readonly label: string; readonly sentence: string }>
