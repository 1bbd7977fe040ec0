import type { AgentRun, AnswerRefusal, Approval, CallerGate, RunGate, RunStarter, Store } from "@byleave/core"
import type { RunOrder, Runs } from "../runs.ts"

/** The parts that the front ends of runs need; the composition gives them. */
export type FrontPorts = {
  readonly runs: Pick<Runs, "start" | "go" | "get" | "waitsFor" | "watch">
  readonly gate: Pick<RunGate, "journal" | "runs"> & Pick<CallerGate, "approval" | "events">
  readonly store: Pick<Store, "approvals">
  /** Reads so many bytes of a run when it is the caller's turn; absent: at once. */
  readonly readInTurn?: <Result>(bytes: number, read: () => Promise<Result>) => Promise<Result>
  /** How a run begins that a front end asks for; what the page wishes is not yet checked. */
  readonly orderFor: (wish: RunWish, caller: FrontCaller) => WishedOrder | Promise<WishedOrder>
  /** How often a stream that waits says that it is still there; absent: every 15 seconds. */
  readonly keepAliveMs?: number
}

/** The sender of a request. */
export type FrontCaller = {
  readonly starter: RunStarter
  /** Takes what the page says to a call that waits. Its no always counts; its yes where the credential may convey one. */
  readonly convey: (
    approval: Approval,
    answer: ConveyedWord,
  ) => Promise<{ readonly ok: true } | { readonly ok: false; readonly refusal: AnswerRefusal }>
  /** Whether the caller may read the run and go on with it; absent: where the caller started it. */
  readonly mayUse?: (run: StartedRun) => boolean
}

/** By which it is known whose a run is. */
export type StartedRun = Pick<AgentRun, "startedBy" | "createdAt">

export type ConveyedWord = { readonly approve: boolean; readonly reason?: string }

/** The page's wishes for the run it begins. */
export type RunWish = {
  readonly model?: string
  readonly servers?: readonly string[]
  readonly instructions?: string
}

/** A run as a page wishes it; or the problem with the wish. */
export type WishedOrder = Omit<RunOrder, "messages"> | { readonly problem: string }
