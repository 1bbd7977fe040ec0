import type {
  AgentRun,
  Gate,
  GateOptions,
  JsonObject,
  PausedRun,
  Policy,
  RunOutcome,
  RunStarter,
  ScriptedStep,
  Store,
  ToolRef,
} from "@byleave/core"
import { createRuns, type OfferedTool, openModel, type Runs, type RunsOptions, type ToolSource } from "@byleave/runs"
import { type MemoryDatabase, newMemoryDatabase } from "@byleave/store"
import { expect } from "vitest"
import { ana, memoryStore, newId, openEngine, policyOf, rule, type TestClock } from "../engine/open-engine.ts"
import { durableKinds, missing, openFrom, scratchStore } from "../faults/store-spec.ts"
import type { GivenModel } from "./given-model.ts"

export const starter: RunStarter = { kind: "reviewer", id: "ana" }

/** A server that counts what reaches it. */
export type CountingTools = ToolSource & {
  readonly dispatched: Array<{ readonly tool: string; readonly args: JsonObject }>
}

export function countingTools(
  names: readonly string[] = ["read", "write", "delete", "move"],
  answer: (tool: ToolRef, args: JsonObject) => Promise<RunOutcome> = async ({ tool }) => ({
    kind: "succeeded",
    result: { content: [{ type: "text", text: `${tool} is done` }] },
  }),
): CountingTools {
  const dispatched: CountingTools["dispatched"] = []
  const tools = names.map(
    (tool): OfferedTool => ({
      ref: { server: "files", tool },
      name: `files__${tool}`,
      inputSchema: { type: "object" },
    }),
  )
  return {
    dispatched,
    list: async () => ({ tools, unreachable: [] }),
    call: ({ tool }, args) => {
      dispatched.push({ tool: tool.tool, args })
      return answer(tool, args)
    },
  }
}

export const storeKinds = ["memory", ...durableKinds] as const

/** Why a kind of store cannot be tried here, or null. */
export function whyNot(kind: (typeof storeKinds)[number]): string | null {
  return kind === "memory" ? null : missing(kind)
}

/** A new store of this kind, with how to open it once more, as another process would, and how to be done with it. */
export async function openStore(kind: (typeof storeKinds)[number], clock: TestClock) {
  if (kind === "memory") {
    const database = newMemoryDatabase()
    const open = async () => memoryStore(clock, database)
    return { open, dispose: () => {} }
  }
  const { spec, dispose } = scratchStore(kind)
  return { open: () => openFrom(spec), dispose }
}

export type World = {
  readonly gate: Gate
  readonly runs: Runs
  readonly tools: CountingTools
  readonly store: Store
  readonly clock: TestClock
  readonly database: MemoryDatabase | undefined
  readonly troubles: unknown[]
  /** What the model was asked, in order. */
  readonly asked: number[]
}

/** `files(read)` runs, `files(delete)` is denied, everything else needs approval. */
export const usualPolicy: Policy = policyOf([
  rule("allow", "files(read)"),
  rule("deny", "files(delete)", { reason: "Nothing is deleted here." }),
])

export async function openRuns(
  steps: readonly ScriptedStep[],
  more: Partial<RunsOptions> & {
    readonly policy?: Policy
    readonly clock?: TestClock
    readonly database?: MemoryDatabase
    readonly store?: Store
    readonly tools?: CountingTools
    readonly model?: GivenModel
    readonly gateOptions?: Partial<GateOptions>
    /** The gate as the runs see it. */
    readonly around?: (gate: Gate) => Gate
  } = {},
): Promise<World> {
  const {
    policy = usualPolicy,
    database,
    model: given,
    gateOptions,
    around = (gate) => gate,
    clock = { now: 1_800_000_000_000 },
    tools = countingTools(),
    ...options
  } = more
  const store = more.store ?? memoryStore(clock, database)
  const { gate } = await openEngine(policy, { store, clock, ...gateOptions })
  const troubles: unknown[] = []
  const asked: number[] = []
  const runs = createRuns({
    gate: around(gate),
    tools,
    openModel: async (name) => {
      const model = given ?? (await openModel({ name, provider: "scripted", steps }))
      return {
        ...model,
        doStream: (call) => {
          asked.push(call.prompt.length)
          return model.doStream(call)
        },
      }
    },
    defaultModel: () => "scripted",
    failureOf: (error) => ({ retryable: true, detail: error instanceof Error ? error.message : String(error) }),
    newId,
    now: () => clock.now,
    maxRetries: 0,
    onTrouble: (trouble) => troubles.push(trouble),
    ...options,
  })
  return { gate, runs, tools, store, clock, database, troubles, asked }
}

export async function startRun(world: World, text: string): Promise<AgentRun> {
  const started = await world.runs.start({ messages: [{ role: "user", content: text }], servers: ["files"] }, starter)
  if (!started.ok) throw new Error(started.refusal.code)
  return settled(world, started.run.id)
}

export async function settled(world: World, id: string): Promise<AgentRun> {
  const run = await world.runs.settled(id)
  if (run === undefined) throw new Error("The run is gone.")
  return run
}

/** Starts a run that must pause. */
export async function startPaused(world: World, text = "Tidy my notes."): Promise<PausedRun> {
  return mustBePaused(await startRun(world, text))
}

export function mustBePaused(run: AgentRun | undefined): PausedRun {
  if (run?.status !== "paused") throw new Error(`It is not paused: ${JSON.stringify(run)}`)
  return run
}

/** Waits until the run is in this state. */
export async function comesTo(world: World, id: string, status: AgentRun["status"]): Promise<AgentRun> {
  await expect.poll(async () => (await world.runs.get(id))?.status, { interval: 5 }).toBe(status)
  const run = await world.runs.get(id)
  if (run === undefined) throw new Error("The run is gone.")
  return run
}

/** Answers a requirement as ana, by the digest that stands there. */
export async function answer(
  { gate }: World,
  approval: string | null,
  kind: "approve" | "deny",
  more: { readonly reason?: string; readonly args?: JsonObject } = {},
): Promise<void> {
  const held = approval === null ? undefined : await gate.approval(approval)
  if (held === undefined) throw new Error("There is no such approval.")
  const given = await gate.answer({ approval: held.id, kind, digest: held.runDigest, reviewer: ana, ...more })
  if (!given.ok) throw new Error(given.refusal.code)
}
