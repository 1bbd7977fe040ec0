import type { Approval, ApprovalStatus } from "../approval/approval.ts"
import type { ApprovalSummary } from "../approval/approval-summary.ts"
import type { Grant } from "../approval/grants/grant.ts"
import type { Pin } from "../approval/pins/pin.ts"
import type { SessionRecord } from "../approval/usage/session-record.ts"
import type { CallUse } from "../approval/usage/usage.ts"
import type { AuditDraft, AuditRecord, SignedHead, SignedRoster } from "../audit/record.ts"
import type { EpochMs, Session } from "../call/call.ts"
import type { JsonObject } from "../call/json/json.ts"
import type { RunStarter } from "../call/run-principal.ts"
import type { Usage } from "../policy/decide/decision.ts"
import type { AgentRun, AgentRunStatus, JournalLine } from "../run/agent-run.ts"
import type { RunSummary } from "../run/run-summary.ts"

/** Told to everyone who listens, at every process of the store. Carries ids only: listeners read the current state. */
export type StoreEventDraft = {
  readonly type:
    | `approval.${ApprovalStatus}`
    | "approval.changed"
    | "grant.changed"
    | "definition.changed"
    | "mode.changed"
    | "session.ended"
    | "policy.changed"
    /** Access rights changed: tokens, reviewers, devices. */
    | "access.changed"
    /** The subject is `kind/id`. */
    | "document.changed"
    /** The subject is the server's id. */
    | "server.changed"
    /** A run or its journal. The subject is the run's id. */
    | "agent-run.changed"
  readonly subject: string
}
export type StoreEvent = StoreEventDraft & { readonly seq: number; readonly at: EpochMs }

/** A small versioned record beside the approvals: a credential, a person, a legacy session, a sealing key. */
export type StoredDocument = {
  readonly kind: string
  readonly id: string
  /** 1 for the first, then one more each time. */
  readonly version: number
  readonly value: JsonObject
  /** From then on it does not exist; null: until it is removed. */
  readonly expiresAt: EpochMs | null
}

/**
 * One atomic change: all of it or none. Approvals and documents carry the version they replace; `epoch`, where given, is the decision
 * state the change was judged by. If any of them has changed in between, the whole change is a conflict.
 */
export type Change = {
  readonly at: EpochMs
  readonly approvals?: ReadonlyArray<{ readonly next: Approval; readonly replaces: number | null }>
  readonly grants?: ReadonlyArray<{ readonly put: Grant } | { readonly remove: string }>
  /** Uses of grants. `counted` takes one of `usesLeft` and conflicts when none is left or the grant is gone. */
  readonly grantUses?: ReadonlyArray<{ readonly grant: string; readonly counted: boolean }>
  readonly pins?: ReadonlyArray<
    { readonly put: Pin } | { readonly remove: { readonly server: string; readonly tool: string } }
  >
  readonly sessions?: readonly SessionRecord[]
  /** The call that runs by this change: counted for the limits, and compared with them, at all processes of the store in the same transaction. */
  readonly use?: CallUse
  /** `replaces` null: a put makes one that is not there (or has expired), a removal takes whatever version there is. */
  readonly documents?: ReadonlyArray<
    | { readonly put: StoredDocument; readonly replaces: number | null }
    | { readonly remove: { readonly kind: string; readonly id: string }; readonly replaces: number | null }
  >
  /** A removal takes the run's journal with it. */
  readonly runs?: ReadonlyArray<
    | { readonly next: AgentRun; readonly replaces: number | null }
    | { readonly remove: string; readonly replaces: number }
  >
  readonly journal?: JournalWrite
  readonly records: readonly AuditDraft[]
  readonly events: readonly StoreEventDraft[]
  readonly epoch?: number
  /** True: what decisions rest on changed, though not in the store: the policy. False: no decision rests on the sessions that are written. */
  readonly movesEpoch?: boolean
  /** `full`: on disk before this returns. `soon`: safe from a crash of the process now, from a power cut within 50 ms. */
  readonly durability: "full" | "soon"
  /** The limits on calls that wait together with those this change begins to hold, counted across all processes of the store in the same transaction. */
  readonly within?: HeldLimits
  /** No caller waits for this change: it may go with the next commit, within a few milliseconds. Readers of the audit here see it at once. */
  readonly unhurried?: true
}

/** Lines for the journal of a run. Refused where the run has another owner by then, or where a line of that name or number is there already. */
export type JournalWrite = {
  readonly run: string
  /** The process that runs it before this change, or because of it. */
  readonly owner: string
  readonly lines: readonly JournalLine[]
}

export type CommitResult =
  | { readonly ok: true; readonly epoch: number }
  | {
      readonly ok: false
      /** `journal`: a line of that name is there already, and `id` is its name. `run`: it has moved on, or has another owner. */
      readonly conflict: "approval" | "grant" | "document" | "epoch" | "run" | "journal"
      readonly id: string | null
    }
  /** As much ran unasked already as may. */
  | { readonly ok: false; readonly conflict: "use"; readonly id: null; readonly usage: Usage }
  /** Too much waits already. */
  | { readonly ok: false; readonly conflict: "limit"; readonly id: null; readonly excess: HeldExcess }

/**
 * The basis of decisions besides the policy. `epoch` goes up whenever any of it changes (uses and last-used aside). `sessions`: those that decisions
 * can rest on, and no other; agents open and end sessions as often as they like.
 */
export type DecisionState = {
  readonly epoch: number
  readonly grants: readonly Grant[]
  readonly pins: readonly Pin[]
  readonly sessions: readonly SessionRecord[]
}

/** The basis of a change to one session: its record, where there is one, and the grants for it. */
export type SessionState = {
  readonly epoch: number
  readonly record: SessionRecord | undefined
  readonly grants: readonly Grant[]
}

/** How much may wait. Absent: as much as comes. Calls of agent runs are not counted in all: runs have limits of their own. */
export type HeldLimits = {
  readonly perSession?: { readonly calls: number }
  readonly perPrincipal?: { readonly calls?: number; readonly bytes?: number }
  /** Of all agents that a program's credential names. */
  readonly perProgram?: { readonly calls?: number; readonly bytes?: number }
  readonly inAll?: { readonly calls?: number; readonly bytes?: number }
  readonly ofRuns?: RunHeldLimits
}

/** The limits on waiting calls of paused runs: of one run, and of all paused runs of its starter. */
export type RunHeldLimits = { readonly perRun: HeldCount; readonly perStarter: HeldCount }

export type HeldCount = { readonly calls: number; readonly bytes: number }

/** The totals of the open runs of one starter. */
export type OpenRunTotals = {
  readonly runs: number
  /** Of their journals. */
  readonly bytes: number
  /** The calls that the paused runs paused for; they count until those runs continue. */
  readonly waiting: HeldCount
}

/** A limit of what may wait, and how much waits already. */
export type HeldExcess = {
  readonly of: "session" | "principal" | "program" | "all" | "run" | "starter"
  readonly what: "calls" | "bytes"
  readonly most: number
  readonly used: number
}

/** Identity of a call for attaching, permits and late outcomes. */
export type CallKey = {
  readonly principal: string
  readonly session: string
  readonly server: string
  readonly tool: string
  readonly callDigest: string
}

export type ApprovalQuery = {
  readonly statuses?: readonly ApprovalStatus[]
  readonly principal?: string
  readonly session?: string
  readonly server?: string
  readonly tool?: string
  readonly createdSince?: EpochMs
  readonly settledSince?: EpochMs
  /** Only those after this one in newest-first order: the last of the page before. */
  readonly after?: { readonly createdAt: EpochMs; readonly id: string }
  readonly limit: number
}

export type RunQuery = {
  readonly statuses?: readonly AgentRunStatus[]
  readonly startedBy?: RunStarter
  readonly principal?: AgentRun["principal"]
  readonly createdSince?: EpochMs
  /** Only those after this one in newest-first order: the last of the page before. */
  readonly after?: { readonly createdAt: EpochMs; readonly id: string }
  readonly limit: number
}

export type AuditQuery = {
  readonly types?: readonly string[]
  readonly subject?: string
  /** Records of any of these subjects. */
  readonly subjects?: readonly string[]
  readonly after?: { readonly at: EpochMs; readonly writer: string; readonly seq: number }
  /** Leaves the payloads out, which may be large, or those of more bytes: each is null then. */
  readonly payloads?: false | { readonly upTo: number }
  readonly limit: number
}

export type RecordWithPayload = AuditRecord & {
  /** Null where there is none, retention has removed it, or it was not asked for. */
  readonly payload: string | null
  /** Of the payload that is kept, asked for or not; null where none is. */
  readonly payloadBytes: number | null
}

/** Durable truth. Every method rejects with a `StoreError` when the store cannot be trusted to have done it. */
/** `elapsed`: a clock that only goes forward, in milliseconds. */
export type OthersOfStore = {
  readonly elapsed: () => number
  /** When everything that had been committed was told here last, on that clock. */
  readonly heardAt: () => number
  /** Resolves once everything that is committed by now has been told here; rejects where that cannot be read. */
  readonly hear: () => Promise<void>
}

export type Store = {
  /** This process's chain. */
  readonly writer: string
  /** The store's time: never before anything it has already recorded, whatever the local clock says. */
  readonly now: (local: EpochMs) => EpochMs
  /** What other processes commit; absent: there are none. */
  readonly others?: OthersOfStore
  readonly commit: (change: Change) => Promise<CommitResult>
  readonly decisionState: () => Promise<DecisionState>
  readonly grants: () => Promise<readonly Grant[]>
  /** Read at one moment, and in the same time however much is stored of others. */
  readonly sessionState: (ref: { readonly principal: string; readonly id: string }) => Promise<SessionState>
  readonly approval: (id: string) => Promise<Approval | undefined>
  /** Newest first, without arguments and results: a list stays small whatever agents send. */
  readonly approvals: (query: ApprovalQuery) => Promise<readonly ApprovalSummary[]>
  readonly countApprovals: (query: Omit<ApprovalQuery, "limit" | "after">) => Promise<number>
  /** Sessions with approvals that are not settled, those with the newest first, and how many of each wait for an answer. */
  readonly openSessions: (
    limit: number,
  ) => Promise<ReadonlyArray<{ readonly session: Session; readonly waiting: number }>>
  /**
   * Identical calls that are open, or settled since `settledSince` with an outcome nobody received; oldest first. Without arguments and results: many large
   * ones may wait, and an agent decides how often it repeats its call.
   */
  readonly identical: (key: CallKey, settledSince: EpochMs) => Promise<readonly ApprovalSummary[]>
  /** Pending or approved past their expiry, running past their lease; soonest first. */
  readonly due: (now: EpochMs, limit: number) => Promise<readonly ApprovalSummary[]>
  readonly session: (ref: { readonly principal: string; readonly id: string }) => Promise<SessionRecord | undefined>

  /** Undefined also when it has expired by then. */
  readonly document: (kind: string, id: string, now: EpochMs) => Promise<StoredDocument | undefined>
  /** Documents of a kind that have not expired at `now`, ordered by id; `after`: the last id of the page before. */
  readonly documents: (
    kind: string,
    query: { readonly after?: string; readonly limit: number; readonly now: EpochMs },
  ) => Promise<readonly StoredDocument[]>

  readonly run: (id: string) => Promise<AgentRun | undefined>
  /** The run as lists have it: what its starter sent is not read. */
  readonly runSummary: (id: string) => Promise<RunSummary | undefined>
  /** Newest first, without what starters sent: a list stays small whatever that is. */
  readonly runs: (query: RunQuery) => Promise<readonly RunSummary[]>
  readonly countRuns: (query: Omit<RunQuery, "limit" | "after">) => Promise<number>
  readonly openRuns: (startedBy: RunStarter) => Promise<OpenRunTotals>
  /**
   * Runs that wait for nobody: paused ones none of whose calls is pending any more, and running ones whose lease has lapsed by then or whose owner is
   * not among the living. Longest unchanged first.
   */
  readonly runsToTakeUp: (query: {
    readonly now: EpochMs
    readonly alive: readonly string[]
    readonly limit: number
  }) => Promise<readonly AgentRun[]>
  /** By number; `after`: the last number of the page before, 0 for the first. At least one line where there is one, then up to so many bytes. */
  readonly journal: (
    run: string,
    query: { readonly after: number; readonly maxBytes: number },
  ) => Promise<readonly JournalLine[]>
  /** The number of the newest line of a run's journal; 0 where there is none. */
  readonly lastLine: (run: string) => Promise<number>

  /** This process holds callers until then: says so, and renews it before it lapses. */
  readonly stayAlive: (until: EpochMs) => Promise<void>
  /** The writers whose processes are alive at that time; a caller held by any other has nobody behind it. */
  readonly alive: (now: EpochMs) => Promise<readonly string[]>

  /** Newest first, with payloads. */
  readonly records: (query: AuditQuery) => Promise<readonly RecordWithPayload[]>
  /** All records of all chains, by writer and seq. */
  readonly chains: () => AsyncIterable<readonly AuditRecord[]>
  /** Type and step of all records that have a subject, by subject and step. */
  readonly lifeCycles: () => AsyncIterable<ReadonlyArray<Pick<AuditRecord, "subject" | "step" | "type">>>
  readonly heads: () => Promise<readonly SignedHead[]>
  readonly roster: () => Promise<SignedRoster | undefined>

  readonly events: (after: number, limit: number) => Promise<readonly StoreEvent[]>
  readonly lastEvent: () => Promise<number>
  /** Every event from now on, in order, none lost or doubled, whichever process made it. Returns how to stop. */
  readonly subscribe: (listener: (event: StoreEvent) => void) => () => void

  /**
   * Removes arguments and results of what settled, and payloads recorded, before then; gives how many of both. The chain
   * stays verifiable. Digests become ones that nothing can be guessed from, and the approval a new version. Events of before
   * then go too, save the newest: the next one's number follows from it; and documents that expired, and runs that ended, with their journals, before
   * then; and the records of sessions that ended before then, which decide nothing.
   */
  readonly removePayloads: (before: EpochMs) => Promise<number>
  readonly close: () => Promise<void>
}

export class StoreError extends Error {
  override readonly name = "StoreError"
  readonly code: StoreErrorCode
  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export type StoreErrorCode = "full" | "read-only" | "corrupt" | "gone" | "too-new" | "busy" | "unavailable" | "closed"
