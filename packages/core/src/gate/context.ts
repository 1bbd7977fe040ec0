import { createUsageTracker, type UsageTracker } from "../approval/usage.ts"
import type { EpochMs } from "../call/call.ts"
import { type CompiledPolicy, compilePolicy } from "../policy/compile-policy.ts"
import type { Policy } from "../policy/rule.ts"
import { createPermits, type Permits } from "./known-permits.ts"
import { createOccupancy, type Occupancy } from "./occupancy.ts"
import { defaultTimes, type GateOptions, type GateTimes } from "./ports.ts"
import { createRecorder, type Recorder } from "./recorder.ts"
import { createStandings, type Standings } from "./standing.ts"
import type { Store } from "./store.ts"
import { createWaiters, type Waiters } from "./waiters.ts"

/** A call this gate is running now. */
export type RunningCall = { readonly cancel: () => void }

/** What the steps of one gate share. */
export type GateContext = {
  readonly options: GateOptions
  readonly store: Store
  readonly times: GateTimes
  readonly standings: Standings
  readonly waiters: Waiters
  readonly recorder: Recorder
  readonly usage: UsageTracker
  readonly permits: Permits
  readonly running: Map<string, RunningCall>
  readonly nextCaller: () => string
  /** The callers that wait here, or whose call runs here. */
  readonly callers: Occupancy
  /** Held calls being created per session, not in the store yet. */
  readonly arriving: Map<string, number>
  readonly now: () => EpochMs
  readonly rules: () => Rules
  readonly replaceRules: (policy: Policy) => void
  /** Work nobody waits for; `close` does, and failures are reported. */
  readonly track: (work: Promise<unknown>) => void
  readonly settled: () => Promise<void>
  readonly closing: () => boolean
  readonly beginClosing: () => void
}

export type Rules = { readonly policy: Policy; readonly compiled: CompiledPolicy }

export function createContext(options: GateOptions): GateContext {
  let rules = rulesOf(options.policy, options)
  let closing = false
  let named = 0
  const tracked = new Set<Promise<unknown>>()
  const standings = createStandings(options.policy, options)
  const usage = createUsageTracker(options.policy.limits)
  return {
    options,
    store: options.store,
    times: { ...defaultTimes, ...options.times },
    standings,
    waiters: createWaiters(options.store),
    recorder: createRecorder(options),
    usage,
    permits: createPermits(),
    running: new Map(),
    nextCaller: () => {
      named += 1
      return named.toString(36)
    },
    callers: createOccupancy(),
    arriving: new Map(),
    now: () => options.store.now(options.now()),
    rules: () => rules,
    replaceRules: (policy) => {
      rules = rulesOf(policy, options)
      standings.replacePolicy(policy)
      usage.replaceLimits(policy.limits)
    },
    track: (work) => {
      const followed = work
        .catch((trouble: unknown) => options.onTrouble?.(trouble))
        .finally(() => tracked.delete(followed))
      tracked.add(followed)
    },
    settled: async () => {
      while (tracked.size > 0) await Promise.all(tracked)
    },
    closing: () => closing,
    beginClosing: () => {
      closing = true
    },
  }
}

function rulesOf(policy: Policy, options: GateOptions): Rules {
  const ports = options.realPath === undefined ? undefined : { realPath: options.realPath }
  return { policy, compiled: compilePolicy(policy, ports) }
}
