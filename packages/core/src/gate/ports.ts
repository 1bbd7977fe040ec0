import type { Redactor } from "../audit/redact.ts"
import type { Call, EpochMs } from "../call/call.ts"
import type { SchemaValidator } from "../call/definition/tool-definition.ts"
import type { Hasher } from "../call/hasher.ts"
import type { JudgingTurns } from "../call/judging-turns.ts"
import type { FindPlaces } from "../policy/conditions/path-lookup.ts"
import type { RiskContext } from "../policy/risks/text-risks.ts"
import type { Effect, Policy } from "../policy/rules/rule.ts"
import type { Store } from "./store.ts"

/** How long things last that policy does not decide. */
export type GateTimes = {
  /** A run whose owner has not renewed its lease for this long is lost: its outcome is unknown. */
  readonly leaseMs: number
  /** A program that runs a call for a process that is gone has this long after its lease, or after a start, to reach another process. */
  readonly returnMs: number
  /** A permit lives this long after its session's last sign of life. */
  readonly permitMs: number
  /** An outcome nobody received is kept this long for an identical call. */
  readonly outcomeMs: number
  /** A mode ends after this long unless its setter says otherwise. */
  readonly modeMs: number
}

export const defaultTimes: GateTimes = {
  leaseMs: 30_000,
  returnMs: 0,
  permitMs: 10 * 60_000,
  outcomeMs: 10 * 60_000,
  modeMs: 60 * 60_000,
}

/** Everything a gate needs from outside; plain arguments, no defaults that reach for the world. */
export type GateOptions = {
  readonly policy: Policy
  readonly store: Store
  readonly now: () => EpochMs
  readonly newId: () => string
  readonly hasher: Hasher
  /** Keys the digests in the audit, so that short arguments cannot be guessed from them. */
  readonly digestKey: string
  readonly redactor?: Redactor
  /** Without it, arguments are not checked against schemas and allows with conditions rest on the conditions alone. */
  readonly validator?: SchemaValidator
  /** Begins one judgement's look at the file system. Where it cannot be told where a path leads, no allow by folder holds and every deny does. */
  readonly realPaths?: () => FindPlaces
  /** Where two spellings of a path are one file, as on most Macs and Windows. */
  readonly caseInsensitivePaths?: boolean
  /** The context of a server that its calls are compared with to find warnings for reviewers. */
  readonly riskContext?: (server: string) => RiskContext
  /** Calls of a credential whose calls take long to judge, or to look through for warnings, wait for their turn; absent: they are judged as they come. */
  readonly judging?: JudgingTurns
  /** Does reads whose answer is for all who ask meanwhile; absent: they are done for whoever asked first. */
  readonly forAll?: <Result>(read: () => Result) => Result
  readonly times?: Partial<GateTimes>
  /** Told of every call that comes, before it is judged. */
  readonly onCall?: (call: Call) => void
  /** Told of every decision about a call, once it is recorded. */
  readonly onJudged?: (effect: Effect) => void
  /** Told of failures nobody waits for, such as an outcome that could not be recorded. */
  readonly onTrouble?: (trouble: unknown) => void
}
