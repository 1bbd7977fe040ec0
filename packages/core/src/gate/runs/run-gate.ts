import type { Reviewer } from "../../approval/approval-event.ts"
import type { Call } from "../../call/call.ts"
import type { RunStarter } from "../../call/run-principal.ts"
import type { Usage } from "../../policy/decide/decision.ts"
import type { AgentRun, JournalLine, Requirement, RunningRun } from "../../run/agent-run.ts"
import type { RunSummary } from "../../run/run-summary.ts"
import type { RunEvent, RunProgress, RunRefusal } from "../../run/run-transition.ts"
import type { ConveyedAnswer, Outcome, Run, VerdictResult } from "../gate.ts"
import type { HeldExcess, OpenRunTotals, RunHeldLimits, RunQuery } from "../store.ts"

/** A call of a running run. */
export type RunCall = {
  readonly call: Call
  /** Its tool-call id, which no other call of the run has. */
  readonly toolCall: string
  readonly run: Pick<RunningRun, "id" | "owner" | "startedBy" | "createdAt">
  /** The program that started the run wants to be asked, even where policy allows. */
  readonly askFirst?: boolean
  /** Why a call with so many bytes of arguments cannot wait with those that wait already. Absent: it can. */
  readonly mayWait?: (bytes: number) => Promise<HeldExcess | null>
}

/** The result of trying a call. `asked`: a person must be asked; nothing is recorded yet. `usage`: the counts that it was judged by. */
export type TriedCall = Outcome | { readonly kind: "asked"; readonly why: string; readonly usage: Usage }

/** A call that a person must be asked about, as it was judged. */
export type AskedRunCall = RunCall & { readonly usage: Usage }

export type RunPause = {
  readonly run: RunningRun
  /** The calls that people must be asked about. */
  readonly calls: readonly AskedRunCall[]
  /** The run's other requirements, unchanged: they were answered or have run already. */
  readonly kept?: readonly Requirement[]
  readonly progress: RunProgress
  readonly lines: readonly JournalLine[]
  /** The limits on calls that wait with it, checked in the commit. Absent: no limit. */
  readonly within?: RunHeldLimits
}

/** `too-much-waits`: the waiting calls of this run, or of its starter's runs, would exceed their limit. */
export type RunPaused =
  | RunChanged
  | { readonly ok: false; readonly refusal: { readonly code: "too-much-waits"; readonly reason: string } }

export type RunChanged<R extends AgentRun = AgentRun> =
  | { readonly ok: true; readonly run: R }
  | { readonly ok: false; readonly refusal: RunRefusal }

export type RunChangeWith = {
  /** Written with the change, which the run's owner makes. */
  readonly lines?: readonly JournalLine[]
  /** The person or program that did it, for the record; absent: the run itself. */
  readonly by?: string
  /** The version that the change is meant for: any other is refused. Absent: any version. */
  readonly version?: number
}

export type NewRun = Pick<AgentRun, "id" | "principal" | "startedBy" | "title" | "setup" | "bytes">

/** A run that began elsewhere. */
export type CarriedRun = NewRun &
  RunProgress & {
    readonly legs: number
    /** Names the state it was carried in, which is good for one import. */
    readonly state: string
    /** Calls that nobody has answered or run: they are judged anew. */
    readonly answered: readonly Requirement[]
  }

export type RunImported =
  | { readonly ok: true; readonly run: RunningRun }
  | { readonly ok: false; readonly refusal: { readonly code: "state-used" } }

/** Used by programs that run agents. A run is changed, written and held only by these methods. */
export type RunGate = {
  /** A run of this process, with the first lines of its journal. */
  readonly startRun: (run: NewRun, lines: readonly JournalLine[], by: string) => Promise<RunningRun>
  /** Brings a run here, and remembers its state as used, in one commit. */
  readonly importRun: (run: CarriedRun, lines: readonly JournalLine[], by: string) => Promise<RunImported>
  /** Applies an event to a run: read, transition, compare-and-set, and again when somebody was faster. */
  readonly changeRun: (
    id: string,
    eventFor: (
      run: AgentRun,
      owner: { readonly owner: string; readonly leaseUntil: number; readonly at: number },
    ) => RunEvent,
    extra?: RunChangeWith,
  ) => Promise<RunChanged>
  /** Adds lines to the journal of a run that this process has. False: it has it no more. */
  readonly journalLines: (run: Pick<RunningRun, "id" | "owner">, lines: readonly JournalLine[]) => Promise<boolean>
  /** Judges the call and runs it where policy allows, never twice: `begun` is the line that records the start. If it is there already, the outcome of the call is unknown. */
  readonly tryCall: (call: RunCall, run: Run, begun: JournalLine) => Promise<TriedCall>
  /** Holds what people must be asked about, records it and pauses the run, in one commit. */
  readonly pauseRun: (pause: RunPause) => Promise<RunPaused>
  /** The outcome of a call that was held for a run: runs it where it is approved. Null: not yet, or another process is at it. */
  readonly takeUpCall: (approval: string, call: RunCall, run: Run) => Promise<Outcome | null>
  /** The answer of the program that started the run to a waiting call: a denial always counts, an approval only if the program may give one. */
  readonly conveyAnswer: (answer: ConveyedAnswer) => Promise<VerdictResult>
  /** Ends a run and withdraws what waits for it. `exportedAs`: it was carried away in this state, as it was at `ofVersion`. */
  readonly cancelRun: (
    id: string,
    end: {
      readonly by: string | null
      readonly detail: string
      readonly exportedAs?: string
      readonly ofVersion?: number
    },
  ) => Promise<RunChanged>
  /** Ends the leg under way and withdraws what waits; the run and its session stay, and a message lets it go on. */
  readonly stopRun: (
    id: string,
    stop: {
      readonly by: string
      /** Denies what waits, as this person; absent: it is withdrawn. */
      readonly deniedBy?: Reviewer | undefined
      /** Written with the stop, by the process that has the run. */
      readonly lines?: readonly JournalLine[] | undefined
      /** The size of the run afterwards, if its process states it. */
      readonly bytes?: number | undefined
    },
  ) => Promise<RunChanged>
  readonly removeRun: (id: string, by: string) => Promise<boolean>
  readonly run: (id: string) => Promise<AgentRun | undefined>
  readonly runSummary: (id: string) => Promise<RunSummary | undefined>
  readonly runs: (query: RunQuery) => Promise<readonly RunSummary[]>
  readonly countRuns: (query: Omit<RunQuery, "limit" | "after">) => Promise<number>
  readonly openRuns: (startedBy: RunStarter) => Promise<OpenRunTotals>
  /** Runs that wait for nobody and that no living process has. */
  readonly runsToTakeUp: (limit: number) => Promise<readonly AgentRun[]>
  readonly journal: (run: string, after: number) => Promise<readonly JournalLine[]>
  /** The number of the newest line; 0 where there is none. */
  readonly lastLine: (run: string) => Promise<number>
}

/** The name by which a call of a run is known to the gate. */
export function runCallKey(run: string, toolCall: string): string {
  return `${run}/${toolCall}`
}
