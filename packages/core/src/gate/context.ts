import type { EpochMs } from "../call/call.ts"
import { createPermits, type Permits } from "./callers/known-permits.ts"
import { createOccupancy, type Occupancy } from "./callers/occupancy.ts"
import { createWaiters, type Waiters } from "./callers/waiters.ts"
import { createOutbox, type Outbox } from "./outbox.ts"
import { createPolicySnapshots, type PolicySnapshots } from "./policy-snapshots.ts"
import { defaultTimes, type GateOptions, type GateTimes } from "./ports.ts"
import { createRecorder, type Recorder } from "./recorder.ts"
import type { Store } from "./store.ts"

export type RunningCall = { readonly cancel: () => void }

/** The state that the steps of one gate share. */
export type GateContext = {
  readonly options: GateOptions
  readonly store: Store
  readonly times: GateTimes
  readonly snapshots: PolicySnapshots
  readonly waiters: Waiters
  readonly recorder: Recorder
  readonly outbox: Outbox
  readonly permits: Permits
  readonly running: Map<string, RunningCall>
  /** The callers this process has attached, or is about to; a stored caller of ours that is not here has gone. */
  readonly callers: Set<string>
  readonly nextCaller: () => string
  /** Everyone who is in the middle of something; `close` waits for them. */
  readonly inside: Occupancy
  readonly now: () => EpochMs
  readonly openedAt: EpochMs
  /** The writers that were alive when last looked; null: not looked yet. */
  readonly seenAlive: { writers: readonly string[] | null }
  /** Work nobody waits for; `close` does, and failures are reported. */
  readonly track: (work: Promise<unknown>) => void
  readonly report: (trouble: unknown) => void
  readonly settled: () => Promise<void>
  readonly closing: () => boolean
  readonly beginClosing: () => void
}

export function createContext(options: GateOptions): GateContext {
  let closing = false
  let named = 0
  // Counted, not listed: the outcome of every call is among them, and a Set of promises would keep them for the garbage collector's old space.
  const tracked = createOccupancy()
  const report = (trouble: unknown): void => {
    try {
      options.onTrouble?.(trouble)
    } catch {
      // A failing trouble listener must not cause more trouble.
    }
  }
  const track = (work: Promise<unknown>): void => {
    tracked.enter()
    void work.then(tracked.leave, (trouble: unknown) => {
      report(trouble)
      tracked.leave()
    })
  }
  return {
    options,
    store: options.store,
    times: { ...defaultTimes, ...options.times },
    snapshots: createPolicySnapshots(options.policy, options),
    waiters: createWaiters(options.store),
    recorder: createRecorder(options),
    permits: createPermits(),
    running: new Map(),
    callers: new Set(),
    nextCaller: () => {
      named += 1
      return named.toString(36)
    },
    inside: createOccupancy(),
    now: () => options.store.now(options.now()),
    openedAt: options.store.now(options.now()),
    seenAlive: { writers: null },
    report,
    track,
    outbox: createOutbox(options.store, track),
    settled: tracked.empty,
    closing: () => closing,
    beginClosing: () => {
      closing = true
    },
  }
}
