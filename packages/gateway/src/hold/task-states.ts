/**
 * The states of our tasks for clients that poll them. Polls are small and calls may be large, so that what a poll reads is bounded here.
 *
 * I1. A task that has not changed since the last poll is not read again, however often it is asked about.
 * I2. Whole calls are read one after the other, principals in turn, others' requests in between.
 * I3. An event about a call makes its remembered state void, also one that comes while the call is being read.
 */
import { type Approval, type ApprovalSummary, type CallerGate, createBodyTurns, summaryOf } from "@byleave/core"
import type { TaskRecord, TaskRecords } from "../wire/ports.ts"

export type TaskState = { readonly record: TaskRecord; readonly approval: ApprovalSummary }
export type WholeTask = { readonly record: TaskRecord; readonly approval: Approval }

export type TaskStates = {
  /** The task without its arguments and result. Null: there is none for this principal. */
  readonly find: (id: string, principal: string) => Promise<TaskState | null>
  /** The same with all of it, in the principal's turn. */
  readonly read: (id: string, principal: string) => Promise<WholeTask | null>
  /** Whose task it is and of what. Null: there is none for this principal. */
  readonly record: (id: string, principal: string) => Promise<TaskRecord | null>
  /** Resolved when it is the principal's turn to have a whole call read. `purpose`: they take turns within the principal's; absent: to be told of one. */
  readonly turn: (principal: string, purpose?: string) => Promise<unknown>
  /** Its call has changed here: a remote gate tells of no such events. */
  readonly changed: (id: string) => void
  readonly close: () => void
}

export type TaskStatePorts = {
  readonly gate: Pick<CallerGate, "approval" | "events">
  readonly tasks: TaskRecords
  readonly now: () => number
  /** Resolved after that time, and after all other ready work has had its turn. */
  readonly pause: (ms: number) => Promise<void>
}

const mostRemembered = 10_000
/** An event that was missed, as after a broken connection to the service, delays an answer by so much and no more. */
const longestMs = 10_000

/** A call that took long to read is followed by as long a pause, in steps. */
const pauses = 8
const longestPauseMs = 500

export function createTaskStates({ gate, tasks, now, pause }: TaskStatePorts): TaskStates {
  let lastMs = 0
  const turns = createBodyTurns(() => pause(Math.min(lastMs, longestPauseMs) / pauses))
  const remembered = new Map<string, TaskState & { readonly since: number }>()
  const reading = new Map<string, Promise<TaskState | null>>()
  const changed = (id: string): void => {
    remembered.delete(id)
    reading.delete(id)
  }
  const stop = gate.events(({ type, subject }) => {
    if (type.startsWith("approval.")) changed(subject)
  })
  const recordOf = async (id: string, principal: string): Promise<TaskRecord | null> => {
    const record = await tasks.get(id)
    return record === undefined || record.principal !== principal ? null : record
  }
  const turn = (principal: string, purpose?: string): Promise<unknown> => turns.wait(principal, purpose).turn
  const readWhole = async (record: TaskRecord): Promise<WholeTask | null> => {
    await turn(record.principal)
    const since = now()
    const approval = await gate.approval(record.id)
    lastMs = now() - since
    return approval === undefined ? null : { record, approval }
  }
  const readState = (record: TaskRecord): Promise<TaskState | null> => {
    const { id } = record
    const begun = readWhole(record).then((whole) => {
      const state = whole && { record, approval: summaryOf(whole.approval) }
      if (state !== null && reading.get(id) === begun) remember(id, state)
      return state
    })
    reading.set(id, begun)
    const done = (): void => {
      if (reading.get(id) === begun) reading.delete(id)
    }
    begun.then(done, done)
    return begun
  }
  const remember = (id: string, state: TaskState): void => {
    remembered.set(id, { ...state, since: now() })
    const [oldest] = remembered.keys()
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
  }
  return {
    find: async (id, principal) => {
      const known = remembered.get(id)
      if (known !== undefined && now() - known.since < longestMs) {
        return known.record.principal === principal ? known : null
      }
      const record = await recordOf(id, principal)
      return record === null ? null : (reading.get(id) ?? readState(record))
    },
    read: async (id, principal) => {
      const record = await recordOf(id, principal)
      return record === null ? null : readWhole(record)
    },
    record: recordOf,
    turn,
    changed,
    close: stop,
  }
}
