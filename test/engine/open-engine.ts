import {
  type Call,
  createGate,
  emptyPolicy,
  type Gate,
  type GateOptions,
  type JsonObject,
  type Policy,
  parseTargetPattern,
  type Reviewer,
  type Rule,
  type Run,
  type Store,
} from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { type MemoryDatabase, openMemoryStore } from "@byleave/store"
import { validateWith } from "./json-schema.ts"

export const ana: Reviewer = { id: "ana", groups: ["ops"] }
export const ben: Reviewer = { id: "ben", groups: ["ops"] }
export const signer = ed25519Signer(newSigningKey())

/** A clock that moves only when a test says so. */
export type TestClock = { now: number }

let ids = 0
export const newId = (): string => {
  ids += 1
  return `id${ids.toString().padStart(6, "0")}-${Math.random().toString(36).slice(2, 8)}`
}

/** A rule from its text, as configuration would make it. */
export function rule(effect: Rule["effect"], text: string, more: object = {}): Rule {
  const parsed = parseTargetPattern(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return { id: `${effect} ${text}`, effect, target: parsed.pattern, origin: { where: "test" }, ...more } as Rule
}

export function policyOf(rules: readonly Rule[], more: Partial<Policy> = {}): Policy {
  return { ...emptyPolicy, version: "test", rules, ...more }
}

export function memoryStore(clock: TestClock, database?: MemoryDatabase): Store {
  return openMemoryStore({
    hasher: nodeHasher,
    signer,
    newId,
    now: () => clock.now,
    elapsed: () => 0,
    ...(database === undefined ? {} : { database }),
  })
}

export type Engine = {
  readonly gate: Gate
  readonly store: Store
  readonly clock: TestClock
  /** Every dispatch, in order: the number that must never be too high. */
  readonly runs: JsonObject[]
  readonly run: Run
  readonly submit: (call: Call) => ReturnType<Gate["submit"]>
}

export async function openEngine(
  policy: Policy = policyOf([]),
  more: Partial<GateOptions> & { readonly clock?: TestClock } = {},
): Promise<Engine> {
  const clock = more.clock ?? { now: 1_800_000_000_000 }
  const store = more.store ?? memoryStore(clock)
  const gate = await createGate({
    policy,
    store,
    now: () => clock.now,
    newId,
    hasher: nodeHasher,
    digestKey: "test key",
    validator: validateWith,
    onTrouble: (trouble) => {
      throw trouble
    },
    ...more,
  })
  const runs: JsonObject[] = []
  const run: Run = async (args) => {
    runs.push(args)
    return { kind: "succeeded", result: { ran: runs.length } }
  }
  return { gate, store, clock, runs, run, submit: (call) => gate.submit(call, run) }
}

export function callOf(tool: string, args: JsonObject = {}, more: Partial<Call> = {}): Call {
  const [server = "", name = ""] = tool.replace(")", "").split("(")
  return {
    tool: { server, tool: name },
    args,
    principal: { id: "agent" },
    session: { principal: "agent", id: "s1", named: true },
    ...more,
  }
}

/** Submits a call that must be held, and gives its approval and the promise of its outcome. */
export async function holdCall(engine: Pick<Engine, "gate" | "run">, call: Call, until?: Promise<unknown>) {
  let tell: (id: string) => void = () => {}
  const held = new Promise<string>((resolve) => {
    tell = resolve
  })
  const outcome = engine.gate.submit(call, engine.run, {
    onHeld: (approval) => tell(approval.id),
    ...(until === undefined ? {} : { until: () => until }),
  })
  const id = await Promise.race([
    held,
    outcome.then((early) => {
      throw new Error(`expected a held call, got ${JSON.stringify(early)}`)
    }),
  ])
  const approval = await engine.gate.approval(id)
  if (approval === undefined) throw new Error("held, but not in the store")
  return { approval, outcome }
}

export function yes(approval: { readonly id: string; readonly runDigest: string }, reviewer = ana) {
  return { approval: approval.id, kind: "approve", digest: approval.runDigest, reviewer } as const
}

export function nay(approval: { readonly id: string; readonly runDigest: string }, reviewer = ana, reason = "not now") {
  return { approval: approval.id, kind: "deny", digest: approval.runDigest, reviewer, reason } as const
}
