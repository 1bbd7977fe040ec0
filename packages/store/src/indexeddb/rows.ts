import {
  type AgentRun,
  type Approval,
  type AuditRecord,
  type EpochMs,
  readStoredJson,
  type SignedHead,
  StoreError,
  summaryOf,
} from "@byleave/core"
import { dueAtOf, factsOf } from "../approval-facts.ts"
import { isOfAgent } from "../held-limit.ts"
import { endedAtOf } from "../run-facts.ts"
import { resultOf } from "./database.ts"

export type ApprovalRow = {
  readonly id: string
  readonly createdAt: EpochMs
  readonly status: Approval["status"]
  readonly principal: string
  readonly session: string
  readonly server: string
  readonly tool: string
  readonly callDigest: string
  readonly version: number
  /** Absent where there is none: such rows are not in the index. */
  readonly dueAt?: EpochMs
  readonly settledAt?: EpochMs
  readonly text: string
}

export type WaitingRow = {
  readonly id: string
  readonly principal: string
  readonly session: string
  readonly bytes: number
  readonly isOfAgent: boolean
}

export type RunRow = {
  readonly id: string
  readonly createdAt: EpochMs
  readonly status: AgentRun["status"]
  readonly endedAt?: EpochMs
  readonly text: string
}

export type TextRow = { readonly text: string }

export type RecordRow = AuditRecord & { readonly payload: string | null; readonly payloadBytes: number | null }

export type ChainRow = { readonly writer: string; readonly aliveUntil: EpochMs; readonly head: SignedHead }

export function approvalRow(approval: Approval): ApprovalRow {
  const { id, callDigest, version } = approval
  const dueAt = dueAtOf(approval)
  return {
    ...{ id, callDigest, version, ...factsOf(approval) },
    ...(dueAt === null ? {} : { dueAt }),
    text: JSON.stringify(approval),
  }
}

export function waitingRow(approval: Approval): WaitingRow {
  const { id, principal, session } = approval
  const { bytes } = summaryOf(approval)
  return { id, principal: principal.id, session: session.id, bytes, isOfAgent: isOfAgent(approval) }
}

export function runRow(run: AgentRun): RunRow {
  const { id, createdAt, status } = run
  const endedAt = endedAtOf(run)
  return { id, createdAt, status, ...(endedAt === null ? {} : { endedAt }), text: JSON.stringify(run) }
}

/** Reads a document this store wrote. */
export function documentIn<Document>({ text }: TextRow): Document {
  try {
    return readStoredJson(text) as Document
  } catch (cause) {
    throw new StoreError("corrupt", "The browser's store is damaged: a document in it is not JSON.", { cause })
  }
}

/** The document in a table's row of this key. */
export async function documentAt<Document>(table: IDBObjectStore, key: IDBValidKey): Promise<Document | undefined> {
  const row = await resultOf<TextRow | undefined>(table.get(key))
  return row === undefined ? undefined : documentIn<Document>(row)
}
