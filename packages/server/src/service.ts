import type { ObservedView } from "@byleave/api"
import { type BodyBudget, type CompiledPolicy, compilePolicy, type Policy } from "@byleave/core"
import type { SpentProofs } from "./credentials/spent-proofs.ts"
import type { SessionPresence } from "./gate/session-presence.ts"
import type { NewestOnly } from "./guard/newest-only.ts"
import type { ProgramStarts, StartTurns } from "./guard/program-starts.ts"
import type { RunReads } from "./guard/run-reads.ts"
import type { SharedAnswer } from "./guard/shared-answer.ts"
import type { StreamCounter } from "./guard/stream-counter.ts"
import type { UnreadAnswers } from "./guard/unread-answers.ts"
import type { Suggested } from "./handlers/suggestions.ts"
import type { ProgramServers } from "./program-servers.ts"
import type { ServerOptions } from "./server-options.ts"
import type { ServerOwners } from "./server-owners.ts"

/** The state that the handlers of one server share. */
export type ApiService = Omit<ServerOptions, "unread"> & {
  readonly spent: SpentProofs
  readonly programServers: ProgramServers
  readonly owners: ServerOwners
  readonly attendance: SessionPresence
  readonly compiled: () => CompiledPolicy
  /** Bodies of reviewers that are being read; agents have another budget, so that people can always answer. */
  readonly reviewerBodies: BodyBudget
  /** Bodies of programs that run agents; counted with those of agents and other programs, where these are counted. */
  readonly runnerBodies: BodyBudget
  /** What was answered and nobody has read, by who asked. */
  readonly unread: UnreadAnswers
  /** Streams of agent runs, by who reads them. */
  readonly runStreams: StreamCounter
  /** Requests of `/v1` whose answers wait for a run, by who sent them. */
  readonly waitingAnswers: StreamCounter
  /** Turns of programs that read agent runs. */
  readonly runReads: RunReads
  readonly runnerStarts: ProgramStarts
  readonly turns: StartTurns
  /** Policies that are being tried out, by who asked. */
  readonly previews: NewestOnly
  readonly suggestions: SharedAnswer<Suggested>
  readonly observed: SharedAnswer<ObservedView>
  /** The store's time. */
  readonly time: () => number
  /** Streams that end when the server closes. */
  readonly closing: AbortSignal
  /** Settled and waiting calls seen since the start, by what became of them. */
  readonly seen: ReadonlyMap<string, number>
}

/** Compiles the rules in force once, however often they are asked for. */
export function compiledOnce(options: ServerOptions): () => CompiledPolicy {
  let newest: { readonly policy: Policy; readonly compiled: CompiledPolicy } | null = null
  return () => {
    const policy = options.policy()
    if (newest?.policy !== policy) newest = { policy, compiled: compilePolicy(policy, options.policyPorts) }
    return newest.compiled
  }
}
