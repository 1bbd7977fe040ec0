import {
  type AgentRun,
  type CallerGate,
  principalOfRun,
  type RunGate,
  type RunStarter,
  runSession,
} from "@byleave/core"
import { isStartedBy, type OfferedTools, type Runs, type ToolSource } from "@byleave/runs"
import { faceOf, type ResponsesFace } from "./ask/face.ts"
import type { ConfiguredServer } from "./ask/requested-tools.ts"
import type { LegRef } from "./wire/ids.ts"

/** The caller, authenticated by the composition. */
export type ResponsesCaller = {
  readonly starter: RunStarter
  /** Its token was minted to convey what people decide. */
  readonly conveysDecisions: boolean
  /** Absent: everything is read at once. */
  readonly reads?: ReadTurns
  /** Bytes of the body that it sent. */
  readonly sent?: number
}

/** How the caller takes turns with others in reading runs. `bytes`: of the runs that are read, and of what the request brought. */
type ReadTurns = {
  /** Null: too much of the caller's waits already, and nothing was done. */
  readonly take: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result> | null
  /** For what a request that had its turn must still read. */
  readonly finish: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>
}

const atOnce: ReadTurns = { take: (_, work) => work(), finish: (_, work) => work() }

export type ResponsesOptions = {
  /** Made with `responsesHooks`. */
  readonly runs: Pick<Runs, "start" | "go" | "cancel" | "remove" | "watch">
  readonly gate: Pick<RunGate, "run" | "runSummary" | "journal" | "conveyAnswer" | "changeRun"> &
    Pick<CallerGate, "approval" | "events">
  readonly tools: Pick<ToolSource, "list">
  readonly servers: () => readonly ConfiguredServer[]
  /** Names of models; a request without one uses the first. */
  readonly models: () => readonly string[]
  readonly now: () => number
  /** How long a request that is not streamed waits for a reviewer. */
  readonly heldMs?: number
  /** How often a stream that waits sends a comment. */
  readonly keepAliveMs?: number
  readonly onTrouble: (trouble: unknown) => void
}

export type ResponsesWorld = ResponsesOptions & {
  readonly heldMs: number
  readonly keepAliveMs: number
  /** Of the caller. What may take long, such as a server that lists its tools, is not waited for in a turn. */
  readonly reads: ReadTurns
}

/** The world as one request sees it: tools are listed once. */
export function worldOf(options: ResponsesOptions, { reads = atOnce }: ResponsesCaller): ResponsesWorld {
  const listed = new Map<string, Promise<OfferedTools>>()
  const list: ToolSource["list"] = (servers, who) => {
    const key = JSON.stringify([who.session.id, ...servers])
    const tools = listed.get(key) ?? options.tools.list(servers, who)
    listed.set(key, tools)
    return tools
  }
  return { heldMs: 50_000, keepAliveMs: 15_000, ...options, tools: { list }, reads }
}

export type OwnRun = { readonly run: AgentRun; readonly face: ResponsesFace }

/** The run, if this caller started it through this API. */
export async function ownRun(
  { gate }: Pick<ResponsesWorld, "gate">,
  id: string,
  caller: ResponsesCaller,
): Promise<OwnRun | null> {
  const run = await gate.run(id)
  const face = run === undefined ? null : faceOf(run)
  if (run === undefined || face === null) return null
  return isStartedBy(run, caller.starter) ? { run, face } : null
}

/** The tools of servers as the run's model is told of them. */
export function toolsOf(
  { tools }: Pick<ResponsesWorld, "tools">,
  run: AgentRun,
  servers: readonly string[],
): Promise<OfferedTools> {
  return tools.list(servers, callerOf(run))
}

/** As whom a run calls tools. */
export function callerOf(run: AgentRun): Parameters<ToolSource["list"]>[1] {
  return { principal: principalOfRun(run), session: runSession(run) }
}

/** Whether a response can be retrieved: it has begun, or is what follows once the calls it waits for are answered. */
export function isRetrievable({ run, face }: OwnRun, { leg }: LegRef): boolean {
  if (!face.store || face.deleted.includes(leg)) return false
  return leg <= run.legs || isHeld(run, leg) || (leg === run.legs + 1 && run.status === "cancelled")
}

/** The leg that begins once the calls that the run waits for are answered. */
export function isHeld(run: Pick<AgentRun, "status" | "legs">, leg: number): boolean {
  return run.status === "paused" && leg === run.legs + 1
}
