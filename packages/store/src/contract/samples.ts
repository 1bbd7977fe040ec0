import type {
  AgentRun,
  Approval,
  AuditDraft,
  Change,
  EpochMs,
  Grant,
  JournalLine,
  JournalWrite,
  JsonObject,
  JsonValue,
  PausedRun,
  Pin,
  RunningRun,
  SessionRecord,
  Store,
  StoredDocument,
} from "@byleave/core"
import { principalOfRun, runSession } from "@byleave/core"

/** Where the samples' time begins; ahead of any real clock, so that a store whose own clock rules is not ahead of them. */
export const start: EpochMs = 4_000_000_000_000

type PendingApproval = Extract<Approval, { status: "pending" }>
type ApprovedApproval = Extract<Approval, { status: "approved" }>
type RunningApproval = Extract<Approval, { status: "running" }>
type SucceededApproval = Extract<Approval, { status: "succeeded" }>
type FailedApproval = Extract<Approval, { status: "failed" }>
type DeniedApproval = Extract<Approval, { status: "denied" }>

/** A held call as the gate would make it. */
export function pending(id: string, over: Partial<PendingApproval> = {}): PendingApproval {
  return {
    id,
    version: 1,
    kind: "tool",
    tool: { server: "files", tool: "write_file" },
    principal: { id: "agent" },
    session: { principal: "agent", id: "session", named: true },
    createdAt: start,
    access: "write",
    args: { path: "notes.txt" },
    callDigest: `digest of ${id}`,
    editedArgs: null,
    runDigest: `digest of ${id}`,
    fingerprint: "fingerprint",
    policyVersion: "1",
    why: "asked because no rule matches files(write_file)",
    rule: null,
    remember: "allowed",
    needs: { approvals: 1, groups: [], selfApproval: false },
    votes: [],
    caller: null,
    rerunOf: null,
    status: "pending",
    expiresAt: start + 60_000,
    ...over,
  }
}

export function approved(from: Approval, expiresAt: EpochMs): ApprovedApproval {
  return { ...held(from), status: "approved", at: start, by: "ada", grant: null, expiresAt }
}

export function running(from: Approval, leaseUntil: EpochMs): RunningApproval {
  const run = { startedAt: start, approvedBy: "ada", owner: "process", leaseUntil, cancelAsked: false }
  return { ...held(from), status: "running", ...run }
}

export function succeeded(from: Approval, settledAt: EpochMs, result: JsonValue = "done"): SucceededApproval {
  const ran = { startedAt: start, settledAt, approvedBy: "ada" }
  return { ...held(from), status: "succeeded", ...ran, result, delivered: false }
}

export function failed(from: Approval, settledAt: EpochMs): FailedApproval {
  const ran = { startedAt: start, settledAt, approvedBy: "ada" }
  return { ...held(from), status: "failed", ...ran, error: { code: -32_000 }, delivered: false }
}

export function denied(from: Approval, settledAt: EpochMs): DeniedApproval {
  const refusal = { by: "reviewer", code: "denied-by-reviewer", reason: "Not today." } as const
  return { ...held(from), status: "denied", settledAt, refusal, by: "ada" }
}

function held(from: Approval): PendingApproval {
  return pending(from.id, {
    version: from.version + 1,
    tool: from.tool,
    principal: from.principal,
    session: from.session,
    createdAt: from.createdAt,
    args: from.args,
    editedArgs: from.editedArgs,
    callDigest: from.callDigest,
    runDigest: from.runDigest,
  })
}

export function grant(id: string, over: Partial<Grant> = {}): Grant {
  return {
    id,
    effect: "allow",
    breadth: { kind: "tool", server: "files", tool: "write_file" },
    createdAt: start,
    createdBy: "ada",
    from: null,
    lastUsedAt: null,
    timesUsed: 0,
    ...over,
  }
}

export function pin(server: string, tool: string, description = "first"): Pin {
  const definition = { name: tool, description }
  return {
    server,
    tool,
    accepted: { definition, fingerprint: `of ${description}`, at: start, by: null },
    proposed: null,
  }
}

export function session(id: string, over: Partial<SessionRecord> = {}): SessionRecord {
  return {
    principal: "agent",
    id,
    named: true,
    mode: "ask",
    modeUntil: null,
    modeBy: null,
    lifted: [],
    refused: [],
    endedAt: null,
    ...over,
  }
}

export function document(kind: string, id: string, over: Partial<StoredDocument> = {}): StoredDocument {
  return { kind, id, version: 1, value: { name: id, groups: ["team"] }, expiresAt: null, ...over }
}

/** A run that the process `p1` has just begun. */
export function agentRun(id: string, over: Partial<RunningRun> = {}): RunningRun {
  return {
    id,
    version: 1,
    principal: "run",
    startedBy: { kind: "reviewer", id: "ada" },
    createdAt: start,
    updatedAt: start,
    title: `Task of ${id}`,
    setup: { model: "small", servers: ["files"], maxSteps: 20, metadata: { ticket: 7 } },
    legs: 1,
    steps: 0,
    usage: { input: 0, output: 0, total: 0 },
    bytes: 0,
    status: "running",
    owner: "p1",
    leaseUntil: start + 30_000,
    answered: [],
    ...over,
  }
}

/** The same run one version later. */
export function runningAgain(from: AgentRun, over: Partial<RunningRun> = {}): RunningRun {
  return agentRun(from.id, { ...factsOf(from), ...over })
}

export function pausedRun(from: AgentRun, at: EpochMs = start): PausedRun {
  const requirements = [{ approval: `${from.id}-1`, toolCall: "call-1", tool: { server: "files", tool: "write_file" } }]
  return { ...factsOf(from), updatedAt: at, status: "paused", pausedAt: at, requirements }
}

export function endedRun(from: AgentRun, status: "finished" | "failed" | "cancelled", endedAt: EpochMs): AgentRun {
  const facts = { ...factsOf(from), updatedAt: endedAt, endedAt }
  if (status === "finished") return { ...facts, status }
  if (status === "failed") return { ...facts, status, retryable: true, detail: "The model is gone." }
  return { ...facts, status, by: "ada", detail: "Not needed any more." }
}

function factsOf(from: AgentRun): Omit<RunningRun, "status" | "owner" | "leaseUntil" | "answered"> {
  const { id, principal, startedBy, createdAt, updatedAt, title, setup, legs, steps, usage, bytes } = from
  const version = from.version + 1
  return { id, version, principal, startedBy, createdAt, updatedAt, title, setup, legs, steps, usage, bytes }
}

export function line(run: string, seq: number, over: Partial<JournalLine> = {}): JournalLine {
  return { run, seq, name: `line ${seq}`, at: start, text: `{"seq":${seq}}`, ...over }
}

export function lines(run: string, owner: string, ...written: readonly JournalLine[]): { journal: JournalWrite } {
  return { journal: { run, owner, lines: written } }
}

/** Puts a run that is not there yet. */
export function begin(next: AgentRun, over: Partial<Change> = {}): Change {
  return change({
    runs: [{ next, replaces: null }],
    events: [{ type: "agent-run.changed", subject: next.id }],
    ...over,
  })
}

/** Replaces what the store holds of it. */
export function moveRun(next: AgentRun, over: Partial<Change> = {}): Change {
  const runs = [{ next, replaces: next.version - 1 }]
  return change({ runs, events: [{ type: "agent-run.changed", subject: next.id }], ...over })
}

/** A call of a run that waits for a person. */
export function askedByRun(id: string, run: Pick<AgentRun, "id" | "principal" | "startedBy">): PendingApproval {
  return pending(id, { principal: principalOfRun(run), session: runSession(run) })
}

export function draft(type: AuditDraft["type"], subject: string | null, over: Partial<AuditDraft> = {}): AuditDraft {
  return { type, subject, step: 0, at: start, body: { why: "sample" }, ...over }
}

export function change(over: Partial<Change> = {}): Change {
  return { at: start, records: [], events: [], durability: "full", ...over }
}

/** Puts approvals that are not there yet. */
export function hold(...approvals: readonly Approval[]): Change {
  return change({
    approvals: approvals.map((next) => ({ next, replaces: null })),
    records: approvals.map((next) => draft("call.asked", next.id, { at: next.createdAt })),
    events: approvals.map((next) => ({ type: "approval.pending", subject: next.id })),
  })
}

/** Replaces what the store holds of it. */
export function move(next: Approval, over: Partial<Change> = {}): Change {
  return change({
    approvals: [{ next, replaces: next.version - 1 }],
    records: [draft("approval.voted", next.id, { step: next.version })],
    events: [{ type: `approval.${next.status}`, subject: next.id }],
    ...over,
  })
}

/** The record of a call that policy allowed, as a busy gate commits it. */
export function allowedCall(id: string, body: JsonObject, payload: string): Change {
  return change({
    records: [draft("call.allowed", id, { body, payload })],
    durability: "soon",
  })
}

export async function ids(found: Promise<ReadonlyArray<{ readonly id: string }>>): Promise<readonly string[]> {
  return (await found).map(({ id }) => id)
}

export async function collect<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of pages) rows.push(...page)
  return rows
}

/** Commits what must not conflict. */
export async function commitAll(store: Store, ...changes: readonly Change[]): Promise<void> {
  for (const each of changes) {
    const result = await store.commit(each)
    if (!result.ok) throw new Error(`unexpected conflict on ${result.conflict} ${result.id}`)
  }
}
