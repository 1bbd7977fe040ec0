/**
 * Whom a gate credential speaks for, and what is its own.
 *
 * I1. The principal is made from the credential; a body only names an agent below it.
 * I2. Another credential's approvals are not its own, however alike their names begin.
 * I3. What programs name, each names for itself.
 * I4. Programs that share a credential, as all that a person wraps do, are told apart by what the service gave them, never by what they say.
 */
import {
  type BodyBudget,
  type Call,
  type CallerGate,
  createBodyBudget,
  createUnreadBudget,
  type EpochMs,
  type GateUpkeep,
  type Hasher,
  type Pace,
  portableHasher,
  type RunOutcome,
  type Session,
} from "@byleave/core"
import { createProgramStarts, type ProgramStarts, type StartTurns } from "../guard/program-starts.ts"
import { createUnreadAnswers, type UnreadAnswers } from "../guard/unread-answers.ts"
import { createProgramShares, type KnownDefinitions, type ProgramShares } from "../program-shares.ts"
import type { ServerOwners } from "../server-owners.ts"
import type { SessionFacts } from "../session-facts.ts"
import { createHeldDefinitions, type HeldDefinitions } from "./held-definitions.ts"
import { createProgramConnections, type ProgramConnections } from "./program-connections.ts"
import { createProgramTurns, type ProgramTurns } from "./program-turns.ts"
import type { SessionPresence } from "./session-presence.ts"
import { createToldListings, type ToldListings } from "./told-listings.ts"

/** Whom a gate credential speaks for. */
export type GateCredential = { readonly token: string; readonly owner?: string }
/** `program`: which of those that share the credential, known by its connection that stands; empty: it has none. It decides nothing but turns and room. */
export type GateIdentity = GateCredential & { readonly program: string }

export type GateRoutesOptions = {
  readonly gate: CallerGate & Pick<GateUpkeep, "takeOver" | "knowsProgram" | "seeProgram">
  readonly identify: (authorization: string | undefined) => Promise<GateCredential | null>
  readonly newId: () => string
  readonly time: () => EpochMs
  /** Names this process of the service. */
  readonly instance: string
  readonly keepAliveMs: number
  readonly maxBodyBytes: number
  /** Counts bodies until nothing of them is kept; one with the usual limits where it is absent. */
  readonly bodies?: BodyBudget
  /** Whether the service reaches this server itself: then no program elsewhere says what its tools are, or what became of a call. */
  readonly isServed?: (server: string) => boolean
  /** Whether another program than the accepted one waits to be accepted for this server. */
  readonly isOtherProgram?: (server: string) => Promise<boolean>
  /** The known definitions of the servers that a credential reported last; absent: as if there were none. */
  readonly knownOf?: (credential: string) => Promise<KnownDefinitions>
  /** Whose the names of servers are; absent: each one is whoever's that uses it. */
  readonly owners?: ServerOwners
  /** Told which servers programs run, by their credentials. */
  readonly seeServer?: (server: string, credential: string) => Promise<void>
  /** Whether the configuration lets an answer given in the client count. */
  readonly decidesInClient?: () => boolean
  /** Told what programs say of their clients. */
  readonly see?: SessionFacts["see"]
  /** Sessions that end with their program's connection; absent: none do. */
  readonly attendance?: SessionPresence
  /** The portable one where it is absent. */
  readonly hasher?: Pick<Hasher, "sha256">
  /** The clock and the pauses between tellings of one program, and how others get a turn; those of the platform where they are absent. */
  readonly pace?: Pace & StartTurns
  /** Counts what was answered and nobody has read; apart from other routes where it is absent. */
  readonly unread?: UnreadAnswers
  /** Told of defects; the program that met one is told no more than that. */
  readonly onTrouble?: (trouble: unknown) => void
}

/** Questions about an approved call that the program running it may ask before any other work of its credential's. */
export type RunningApproved = { asksLeft: number; isAsked: boolean }

/** A call being carried out by a program elsewhere. */
export type RemoteRun = { readonly token: string; readonly settle: (outcome: RunOutcome) => void }
export type RemoteSubmission = { readonly leave: () => void }

export type GateRouteContext = GateRoutesOptions & {
  readonly bodies: BodyBudget
  readonly unread: UnreadAnswers
  readonly pace: NonNullable<GateRoutesOptions["pace"]>
  readonly connections: ProgramConnections
  readonly runs: Map<string, RemoteRun>
  /** Runs by an approval, by credential and approval. */
  readonly runningApproved: Map<string, RunningApproved>
  /** By credential and name. */
  readonly submissions: Map<string, RemoteSubmission>
  /** Servers whose tools this process has been told, by credential. */
  readonly told: Set<string>
  readonly listings: ToldListings
  readonly heldDefinitions: HeldDefinitions
  readonly shares: ProgramShares
  /** Every request of a credential begins in its turn, also over a connection that stands. */
  readonly starts: ProgramStarts
  readonly judgements: ProgramTurns
  /** For requests that are small themselves and make the service read a whole call. */
  readonly wholeCalls: ProgramTurns
}

/** Those of the platform. */
export const usualPace: GateRouteContext["pace"] = {
  now: () => performance.now(),
  nextTurn,
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}

/** Resolved after all other ready work has had its turn. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Judging many names takes long, so no credential has many such requests under way. */
const mostJudgements = { pieces: 256, bytes: 16_000_000 }

/** A call may have megabytes, so between two of them others have several turns: as many as it takes to answer a small request. */
const mostWholeCalls = { pieces: 1_024, bytes: 0 }
const turnsBetween = 8

export function openGateRoutes(options: GateRoutesOptions): GateRouteContext {
  const { knownOf = async () => new Map(), hasher = portableHasher, pace = usualPace } = options
  const { bodies = createBodyBudget(), time } = options
  const { unread = createUnreadAnswers(createUnreadBudget(time), time) } = options
  return {
    ...options,
    ...{ pace, bodies, unread },
    heldDefinitions: createHeldDefinitions(bodies),
    shares: createProgramShares({ knownOf, pace, nextTurn: pace.nextTurn }),
    starts: createProgramStarts(pace),
    judgements: createProgramTurns(mostJudgements, pace.nextTurn),
    wholeCalls: createProgramTurns(mostWholeCalls, async () => {
      for (let turn = 0; turn < turnsBetween; turn++) await pace.nextTurn()
    }),
    connections: createProgramConnections(unread),
    listings: createToldListings(options.instance, hasher),
    ...{ runs: new Map(), runningApproved: new Map(), submissions: new Map(), told: new Set() },
  }
}

/** Whether the service reaches this server itself. Then nothing holds any more that programs told of one of that name before. */
export function isServedHere(doors: GateRouteContext, server: string): boolean {
  if (doors.isServed?.(server) !== true) return false
  doors.listings.forget(server)
  for (const key of doors.told) {
    const [, name] = JSON.parse(key) as readonly string[]
    if (name === server) doors.told.delete(key)
  }
  return true
}

/** Names that programs choose, each credential for itself. */
export function ownKey(who: GateCredential, name: string): string {
  return JSON.stringify([who.token, name])
}

/** `token:agent`. The agent's name is the program's word; the token before it is not. */
function principalOf(who: GateCredential, agent: string): string {
  return `${who.token}:${agent}`
}

export function isOwn(who: GateCredential, principal: string): boolean {
  return principal.startsWith(`${who.token}:`)
}

export function callerOf(
  who: GateCredential,
  { agent, session }: { readonly agent: string; readonly session: { readonly id: string; readonly named: boolean } },
): Pick<Call, "principal" | "session"> {
  const id = principalOf(who, agent)
  return {
    principal: who.owner === undefined ? { id } : { id, owner: who.owner },
    session: sessionOf(id, session),
  }
}

/** A session without a name of its own is the agent itself; and so is one named like the agent. */
function sessionOf(principal: string, { id, named }: { readonly id: string; readonly named: boolean }): Session {
  return named && id !== principal ? { principal, id, named } : { principal, id: principal, named: false }
}
