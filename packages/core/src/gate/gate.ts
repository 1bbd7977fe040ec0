import type { Approval, CallerId, VerdictFace, Vote } from "../approval/approval.ts"
import type { Reviewer, RunOutcome, TransitionRefusal } from "../approval/approval-event.ts"
import type { CheckedArguments } from "../approval/checked-arguments.ts"
import type { Grant, Level } from "../approval/grants/grant.ts"
import type { LevelRefusal } from "../approval/grants/grant-at-level.ts"
import type { GrantRefusal } from "../approval/grants/make-grant.ts"
import type { LapsedGrant } from "../approval/grants/new-grant.ts"
import type { PinRef } from "../approval/pins/pin.ts"
import type { Refusal } from "../approval/refusal.ts"
import type { Call, EpochMs, Session, ToolRef } from "../call/call.ts"
import type { ToolDefinition } from "../call/definition/tool-definition.ts"
import type { JsonObject, JsonValue } from "../call/json/json.ts"
import type { Decision, Target } from "../policy/decide/decision.ts"
import type { AnswerScope, Breadth } from "../policy/rules/remembered.ts"
import type { Mode, Policy } from "../policy/rules/rule.ts"
import type { RunGate } from "./runs/run-gate.ts"
import type { StoreEvent } from "./store.ts"

/** Runs the call for real. Rejecting means nobody can tell what happened: the approval becomes `unknown`. */
export type Run = (args: JsonObject, context: RunContext) => Promise<RunOutcome>
export type RunContext = {
  readonly approval: string | null
  /** When the permission or the mode that allowed it ends: what is sent later is judged again. Absent: neither has an end. */
  readonly holdsUntil?: EpochMs | undefined
  /** The permission whose use this call took. */
  readonly grant?: string | undefined
  /** The other params sent to the server, as the approver saw them. */
  readonly extraParams: JsonObject | undefined
  /** Resolves when the caller withdraws while the call runs; forward it upstream. */
  readonly cancelled: Promise<void>
}

export type Outcome =
  | {
      readonly kind: "result"
      readonly result: JsonValue
      readonly approval: string | null
      readonly notes: readonly OutcomeNote[]
    }
  | {
      readonly kind: "error"
      readonly error: JsonValue
      readonly approval: string | null
      readonly notes: readonly OutcomeNote[]
    }
  | { readonly kind: "unknown"; readonly detail: string; readonly approval: string | null }
  | { readonly kind: "refusal"; readonly refusal: Refusal; readonly approval: string | null }
  /** Still waiting for a person; repeating the identical call comes back to it. */
  | { readonly kind: "ticket"; readonly approval: string; readonly expiresAt: EpochMs | null }

/** Told to the caller with its outcome: the arguments were edited, the outcome is from an earlier identical call, or a reviewer had the call run. */
export type OutcomeNote = "edited" | "delivered-late" | "run-by-reviewer"

export type SubmitOptions = {
  /** Names this caller; unique per request. Made by the gate when absent. */
  readonly caller?: CallerId
  /** Whether the caller still waits; asked where the call must wait to be judged, and before an approved call is claimed. Absent: it does. */
  readonly isWanted?: (() => boolean) | undefined
  /** Asked once the call is held. When it resolves, a call that still waits is detached and its caller gets a ticket. Absent: held as long as it takes. */
  readonly until?: () => Promise<unknown>
  /** Told once when the call is held, or comes back to one that is, or that was approved and waits for its caller: what can be cancelled from then on. */
  readonly onHeld?: (approval: Approval) => void
  /**
   * Whether the caller has really received the outcome of a held call, once that is known; asked only for those. False, or a death before
   * it is known: an identical call gets the outcome, once. Absent: whoever is given the outcome has received it.
   */
  readonly received?: () => Promise<boolean>
  /** Keeps calls apart that are identical, and comes back to this one by name: only the same key finds its approval, and a yes to it does not expire. */
  readonly key?: string
  /**
   * What was answered before is left as it is, with its outcome: the caller gets a ticket, and whoever calls again without this runs it, or is
   * given the outcome.
   */
  readonly leavesAnswered?: boolean | undefined
}

export type Remember = {
  readonly scope: AnswerScope
  readonly breadth: Breadth
  readonly until?: EpochMs
  readonly uses?: number
  /** Calls already waiting that this answer also settles, each as the reviewer saw it. */
  readonly alsoSettles?: ReadonlyArray<{ readonly approval: string; readonly digest: string }>
}

export type Verdict = {
  readonly approval: string
  readonly kind: "approve" | "deny"
  readonly digest: string
  readonly reviewer: Reviewer
  readonly args?: JsonObject
  readonly reason?: string
  readonly face?: VerdictFace
  /** The reviewer answers several calls at once: no rule is to follow from it. */
  readonly together?: true
  readonly remember?: Remember
}

/** `digest`: of what would run, as the form in the client showed it. */
export type ClientAnswer = Pick<Verdict, "approval" | "kind" | "digest">

/** A program's answer to a call of a run that it started. `by`: the name of its token. */
export type ConveyedAnswer = Pick<Verdict, "approval" | "kind" | "reason"> & {
  readonly by: string
  /** Its token was minted to convey what people decide. */
  readonly conveysDecisions: boolean
}

export type AnswerRefusal =
  | TransitionRefusal
  | { readonly code: "not-found" }
  | { readonly code: "invalid-verdict"; readonly detail: string }
  | GrantRefusal
  | { readonly code: "invalid-arguments"; readonly problems: readonly string[] }
  | { readonly code: "forbidden-by-policy"; readonly reason: string }
  | { readonly code: "not-rerunnable"; readonly status: Approval["status"] }
  | { readonly code: "not-undoable"; readonly status: Approval["status"] }
  | { readonly code: "arguments-removed" }
  | { readonly code: "store-unavailable"; readonly detail: string }

export type VerdictResult =
  | {
      readonly ok: true
      readonly approval: Approval
      readonly grant: Grant | null
      readonly also: readonly AlsoSettled[]
    }
  | { readonly ok: false; readonly approval: string; readonly refusal: AnswerRefusal }

export type AlsoSettled =
  | { readonly ok: true; readonly approval: Approval }
  | { readonly ok: false; readonly approval: string; readonly refusal: AnswerRefusal }

/** A reviewer has an approved call run while its agent is away. */
export type RunNowOrder = {
  readonly approval: string
  /** Of what would run, as the reviewer was shown it. */
  readonly digest: string
  readonly reviewer: Reviewer
  /** The tool as the connection lists it over which it will be called. */
  readonly listed?: Call["listed"]
}

/** `ended` resolves once it has settled: the call runs on when this is given. */
export type RunNowAnswer =
  | { readonly ok: true; readonly approval: Approval; readonly ended: Promise<void> }
  | Extract<VerdictResult, { readonly ok: false }>

/** Whether the teller may still tell of the server. False: nothing of it is kept. Asked again for each state that a telling is recorded by. */
export type MayTell = () => Promise<boolean>

export type StillRunOptions = {
  /** Judged at once, and not in its credential's turn. */
  readonly isNow?: boolean
  /** Resolves when the call was withdrawn: then a gate elsewhere is not asked again. */
  readonly until?: Promise<unknown> | undefined
  /** Told when a gate elsewhere is asked, and each time that it is asked again: its answer is as old as the last of them. */
  readonly onAsked?: () => void
  /** The permission whose use the call took: as of the run's context. */
  readonly grant?: string | undefined
}

/** Used by programs that bring calls: a gateway, or an agent's own program. The gate here and a remote one both implement all of it. */
export type CallerGate = {
  /** Judges the call, then runs it, refuses it, or holds it until a person has answered. */
  readonly submit: (call: Call, run: Run, options?: SubmitOptions) => Promise<Outcome>
  /** Comes back to an approval by id, with the same call. Null: no such approval for this caller, or someone else waits on it. */
  readonly attach: (approval: string, call: Call, run: Run, options?: SubmitOptions) => Promise<Outcome | null>
  /** The decision that would be made now; nothing is recorded. */
  readonly judge: (
    target: Target,
    args: JsonObject | undefined,
    call: Pick<Call, "principal" | "session" | "listed" | "connection"> & { readonly starter?: string },
  ) => Promise<Decision>
  /**
   * Whether a call that this gate let run may still be sent, as policy is by now; nothing is recorded. `approval`: the one by which it runs; null: policy
   * allowed it.
   */
  readonly mayStillRun: (
    call: Pick<Call, "kind" | "tool" | "principal" | "session" | "listed" | "connection">,
    args: JsonObject,
    approval: string | null,
    how?: StillRunOptions,
  ) => Promise<boolean>
  /** The caller withdrew. Only its own principal may. */
  readonly cancel: (approval: string, principal: string, detail?: string) => Promise<VerdictResult>
  /** Answers for an unverified person at the agent's client: once, and never for a call that asks every time, several people or a group. */
  readonly answerInClient: (answer: ClientAnswer) => Promise<VerdictResult>
  readonly approval: (id: string) => Promise<Approval | undefined>
  /** A server's tools as it lists them now: pins definitions that are new to us, notices changed and added ones. */
  readonly seeTools: (
    server: string,
    tools: readonly ToolDefinition[],
    /** The differing definitions that other connections to the server list. */
    elsewhere?: readonly ToolDefinition[],
    mayTell?: MayTell,
  ) => Promise<void>
  /** A server's tools as agents may be told of them: as accepted, without those that nobody accepted or that are in quarantine. */
  readonly offeredTools: (server: string, tools: readonly ToolDefinition[]) => Promise<readonly ToolDefinition[]>
  /** Pins the instructions that a server gives every agent, as tools are pinned, and returns those that agents may be given. */
  readonly seeInstructions: (
    server: string,
    instructions: string | undefined,
    mayTell?: MayTell,
  ) => Promise<string | undefined>
  /**
   * Cancels the calls that wait in it, forgets what was allowed in it. Denials, refusals and the mode `unattended` stay: whoever names sessions may name
   * the same one again.
   */
  readonly endSession: (session: Session) => Promise<void>
  readonly events: (listener: (event: StoreEvent) => void) => () => void
  /** Takes no more calls, gives everyone who waits a ticket, and waits for what runs and is being recorded. */
  readonly close: () => Promise<void>
}

/** Used by programs that act for reviewers. */
export type ReviewerGate = {
  /** Ends a session with all that is remembered for it, and asks what runs in it to stop. */
  readonly stopSession: (session: Session) => Promise<void>
  readonly approval: (id: string) => Promise<Approval | undefined>
  /** The decision that would be made now on a call that a reviewer looks at: it waits for nobody's turn. Nothing is recorded. */
  readonly foresee: CallerGate["judge"]
  /** Tells of a vote whether whoever gave it may approve the call by now. */
  readonly whichVotesCount: () => Promise<(approval: Pick<Approval, "needs" | "principal">, vote: Vote) => boolean>
  readonly answer: (verdict: Verdict) => Promise<VerdictResult>
  /** Finds what to check before a held call is allowed with these arguments instead of its own. Records nothing. */
  readonly checkEdit: (approval: Approval, args: JsonObject) => Promise<CheckedArguments>
  readonly extend: (approval: string, reviewer: Reviewer, until: EpochMs | null) => Promise<VerdictResult>
  /** Takes back an approval that nobody has used yet. */
  readonly revoke: (approval: string, reviewer: Reviewer) => Promise<VerdictResult>
  /** A new approval, naming the old one, that this reviewer has approved. */
  readonly rerun: (approval: string, digest: string, reviewer: Reviewer) => Promise<VerdictResult>
  /** A new approval that takes an earlier one's change back by this call of the same server, names it, and that this reviewer has approved. */
  readonly undo: (approval: string, call: Call, reviewer: Reviewer) => Promise<VerdictResult>
  /** Runs an approved call that nobody waits for, once; its outcome is kept for the identical repeat, as long as the permit would have been. */
  readonly runNow: (order: RunNowOrder, run: Run) => Promise<RunNowAnswer>

  readonly grants: () => Promise<readonly Grant[]>
  readonly addGrant: (grant: NewGrant, reviewer: Reviewer) => Promise<Grant | LapsedGrant>
  /** All in one change, with an answer to each, in order; a grant that is remembered already in the same words stays as it is. */
  readonly addGrants: (
    grants: readonly NewGrant[],
    reviewer: Reviewer,
  ) => Promise<ReadonlyArray<AddedGrant | LapsedGrant>>
  /** Forgets the grant, in any version. False: there is no such grant. */
  readonly revokeGrant: (id: string, reviewer: Reviewer) => Promise<boolean>
  /** Makes of a grant what a level says, or with `Ask` forgets it; `version`: of the grant as it was shown. */
  readonly setGrantLevel: (id: string, wanted: WantedLevel, reviewer: Reviewer) => Promise<LevelAnswer>

  /** False: this fingerprint, of the definition the reviewer saw, is not the proposed one. */
  readonly acceptDefinition: (of: PinRef, fingerprint: string, reviewer: Reviewer) => Promise<boolean>
  /** The tool is refused for as long as its server offers this. False as for `acceptDefinition`. */
  readonly rejectDefinition: (of: PinRef, fingerprint: string, reviewer: Reviewer) => Promise<boolean>
  /** Hidden and refused until lifted. False: there is no such tool. */
  readonly quarantine: (of: PinRef, reviewer: Reviewer) => Promise<boolean>
  readonly liftQuarantine: (of: PinRef, reviewer: Reviewer) => Promise<boolean>

  readonly setMode: (session: Session, mode: Mode, options: ModeOptions) => Promise<ModeAnswer>
  /** A person lets a tool be asked for again after too many denials. */
  readonly liftRefusals: (session: Session, tool: ToolRef, reviewer: Reviewer) => Promise<void>
}

/** Used by the process that the gate lives in. */
export type GateUpkeep = {
  readonly replacePolicy: (policy: Policy, by: string | null) => Promise<void>
  /** Settles everything whose time has come. The composition calls it every second or so. Gives how many. */
  readonly expireDue: () => Promise<number>
  /** Keeps the leases of what this gate is running. Called more often than leases last. */
  readonly renewLeases: () => Promise<void>
  /**
   * Takes over a run that a process which is gone had recorded, from whoever carries it out: `run` only says what it comes to. Null: there
   * is no such run for this session, or the process that has it is not known to be gone yet.
   */
  readonly takeOver: (approval: string, session: Session, run: Run) => Promise<Outcome | null>
  /** Whether this program of a server, as the definition that its pin keeps, is the accepted one or waits to be accepted. */
  readonly knowsProgram: (server: string, program: ToolDefinition) => Promise<boolean>
  /** Pins the program that a server is at first sight, whether or not it lists tools; another one waits to be accepted. */
  readonly seeProgram: (server: string, program: ToolDefinition, mayTell?: MayTell) => Promise<void>
  /** Cancels what these principals, whose credential was revoked, called before `until`, then ends their sessions in which something was held, granted or remembered before then. */
  readonly endRevokedSessions: (isTheirs: (principal: string) => boolean, until: EpochMs) => Promise<void>
}

export type Gate = CallerGate & ReviewerGate & GateUpkeep & RunGate

export type NewGrant = {
  readonly effect: "allow" | "deny"
  readonly breadth: Breadth
  readonly session?: Session
  /** The one agent it serves, in every session of it; absent: every agent. */
  readonly agent?: string
  /** Of `agent`, where that is the principal of agent runs: the one starter whose runs it serves; absent: all runs. */
  readonly starter?: string
  readonly until?: EpochMs
  readonly uses?: number
  readonly reason?: string
}

/** `known`: it was remembered before. */
export type AddedGrant = { readonly grant: Grant; readonly known: boolean }

export type WantedLevel = { readonly level: Level; readonly version: number }
export type LevelAnswer =
  | { readonly ok: true; readonly grant: Grant | null }
  | { readonly ok: false; readonly code: "not-found" | "conflict"; readonly detail: string }
  | ({ readonly ok: false } & LevelRefusal)

export type ModeOptions = { readonly reviewer: Reviewer; readonly until?: EpochMs }
export type ModeAnswer =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: "forbidden-by-policy" | "invalid-mode"; readonly detail: string }
