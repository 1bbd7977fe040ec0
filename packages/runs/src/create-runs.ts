/**
 * The runs of one process: starts them, takes up what became answerable or was left behind, and carries their legs out.
 *
 * I1. A run is taken up by one process: by compare-and-set in the store.
 * I2. A paused run is nothing here: no timer, no listener, no memory.
 * I3. Whoever closes leaves runs that others take up where these ended.
 */

import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  type AgentRun,
  type Approval,
  type CallerGate,
  isRunPrincipal,
  type JournalLine,
  type JsonObject,
  type PausedRun,
  principalOfRun,
  type Requirement,
  type RunGate,
  type RunningRun,
  type RunPrincipal,
  type RunRefusal,
  type RunSetup,
  type RunStarter,
  runSession,
} from "@byleave/core"
import type { ModelMessage, ToolSet } from "ai"
import { wordOn } from "./front/run-approvals.ts"
import { lineNames } from "./journal/journal.ts"
import { createLiveParts, type RunNews } from "./live-parts.ts"
import { type LegSettings, type RequirementAnswer, runLeg } from "./loop/run-leg.ts"
import { defaultRunLimits, type RunLimits } from "./run-limits.ts"
import type { OfferedTool, ToolSource } from "./tools.ts"

export type RunsOptions = {
  readonly gate: RunGate & Pick<CallerGate, "events" | "approval">
  readonly tools: ToolSource
  /** Rejects with words that say what to do where a model cannot be used. */
  readonly openModel: (name: string) => Promise<LanguageModelV4>
  /** The name of the model that is used where nobody names one. */
  readonly defaultModel: () => string | undefined
  /** Tools of whoever started the run, from what its setup says of them; they are not gated. */
  readonly faceTools?: (run: AgentRun) => ToolSet
  /** Whether the model is told of a tool of the run's servers, by what its setup says; absent: of each. */
  readonly offers?: (run: AgentRun, tool: OfferedTool) => boolean
  /** Whether whoever started the run wants to be asked about the tool's calls, also where policy allows them. */
  readonly askFirst?: (run: AgentRun, tool: OfferedTool) => boolean
  readonly modelSettings?: (run: AgentRun) => LegSettings
  /** What a paused run goes on with besides the answers; "missing": its starter must bring something first, and nobody takes it up before. */
  readonly broughtInput?: (
    run: PausedRun,
    gate: Pick<RunGate, "journal">,
  ) => Promise<readonly ModelMessage[] | "missing">
  readonly failureOf: (error: unknown) => { readonly retryable: boolean; readonly detail: string }
  readonly newId: () => string
  readonly now: () => number
  readonly limits?: Partial<RunLimits>
  /** How often a model server that fails is asked again within one step. */
  readonly maxRetries?: number
  readonly onTrouble: (trouble: unknown) => void
}

export type RunOrder = {
  readonly messages: readonly ModelMessage[]
  readonly principal?: RunPrincipal
  readonly model?: string
  readonly servers: readonly string[]
  readonly instructions?: string
  readonly maxSteps?: number
  readonly title?: string
  readonly trace?: RunSetup["trace"]
  readonly metadata?: JsonObject
  readonly face?: JsonObject
}

/** What a run goes on with. */
export type RunInput = {
  readonly messages?: readonly ModelMessage[]
  readonly setup?: Partial<Pick<RunSetup, "model" | "servers" | "face">> & {
    /** Undefined: none from now on. */
    readonly instructions?: string | undefined
  }
}

export type RunsRefusal =
  | RunRefusal
  | { readonly code: "no-model"; readonly detail: string }
  | { readonly code: "too-many-runs"; readonly detail: string }
  | { readonly code: "run-too-large"; readonly detail: string }
  /** These are not answered yet; none: the starter must bring something else. */
  | { readonly code: "run-waits"; readonly missing: readonly Requirement[] }

export type RunsAnswer =
  | { readonly ok: true; readonly run: AgentRun }
  | { readonly ok: false; readonly refusal: RunsRefusal }

export type Runs = {
  readonly start: (order: RunOrder, by: RunStarter) => Promise<RunsAnswer>
  /** Begins another leg: with a message, after the last answer, or after a failure. */
  readonly go: (id: string, input: RunInput, by: string | null) => Promise<RunsAnswer>
  readonly cancel: (id: string, by: string, detail?: string) => Promise<RunsAnswer>
  readonly remove: (id: string, by: string) => Promise<boolean>
  readonly get: (id: string) => Promise<AgentRun | undefined>
  /** The requirements that nobody has answered, with their approvals. */
  readonly waitsFor: (run: AgentRun) => Promise<readonly Waiting[]>
  /** Resolves once no process carries a leg of the run out, or when told to stop waiting. */
  readonly settled: (id: string, signal?: AbortSignal) => Promise<AgentRun | undefined>
  readonly watch: (id: string, listener: (news: RunNews) => void) => () => void
  /** Takes up what waits for nobody. Gives how many. */
  readonly takeUp: () => Promise<number>
  /** Keeps the leases of the legs under way. Called more often than leases last. */
  readonly renewLeases: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Waiting = { readonly requirement: Requirement; readonly approval: Approval }

export function createRuns(options: RunsOptions): Runs {
  const { gate, onTrouble } = options
  const limits = { ...defaultRunLimits, ...options.limits }
  const live = createLiveParts()
  const active = new Map<string, { readonly stop: AbortController; readonly ended: Promise<void> }>()
  const queue: Array<() => void> = []
  /** Runs that were left because their starter must bring something: they keep no other from being found. */
  const waitingForStarter = new Set<string>()
  let closing = false

  const slot = async (): Promise<void> => {
    if (active.size <= limits.legs) return
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  const carryOut = (run: RunningRun, answers: readonly RequirementAnswer[]): void => {
    const stop = new AbortController()
    const ended = legOf(run, answers, stop.signal)
      .catch(onTrouble)
      .finally(() => {
        active.delete(run.id)
        live.end(run.id, run.legs)
        queue.shift()?.()
      })
    active.set(run.id, { stop, ended })
  }
  const legOf = async (run: RunningRun, answers: readonly RequirementAnswer[], signal: AbortSignal): Promise<void> => {
    live.begin(run.id)
    await slot()
    if (signal.aborted) return
    const prepared = await prepare(options, run)
    if ("failure" in prepared) {
      const { owner, steps, usage, bytes } = run
      const event = { type: "fail" as const, owner, steps, usage, bytes, ...prepared.failure }
      await gate.changeRun(run.id, (_, { at }) => ({ ...event, at }))
      return
    }
    await runLeg(
      {
        gate,
        ...prepared,
        carryOut: options.tools.call,
        askFirst: (tool) => options.askFirst?.(run, tool) === true,
        settings: options.modelSettings?.(run) ?? {},
        changed: (approval) => changeOf(gate, approval),
        maxRetries: options.maxRetries ?? 2,
        now: options.now,
        onPart: (part) => live.tell(run.id, { type: "part", leg: run.legs, part }),
        onRetry: (attempt) => live.tell(run.id, { type: "retry", leg: run.legs, attempt }),
        signal,
        failureOf: options.failureOf,
      },
      run,
      answers,
    )
  }

  const go: Runs["go"] = async (id, input, by) => {
    const run = await gate.run(id)
    if (run === undefined) return refused({ code: "run-not-found" })
    const model = input.setup?.model ?? run.setup.model
    const setup = setupWith({ ...run.setup, model }, input.setup)
    const answers = run.status === "paused" ? await answersTo(gate, run.requirements) : []
    const missing = run.status === "paused" ? run.requirements.filter((_, at) => answers[at] === null) : []
    if (missing.length > 0) return refused({ code: "run-waits", missing })
    const brought = run.status === "paused" ? ((await options.broughtInput?.(run, gate)) ?? []) : []
    if (brought === "missing") return refused({ code: "run-waits", missing: [] })
    const messages = [...brought, ...(input.messages ?? [])]
    const hasInput = messages.length > 0
    // The number of the leg that begins: nobody else can begin it, or this change is refused.
    const lines = hasInput ? await inputLines(gate, run, messages, options.now) : []
    const bytes = run.bytes + lines.reduce((sum, { text }) => sum + text.length, 0)
    if (bytes > limits.bytes) return refused(tooLarge(limits))
    const resumed = await gate.changeRun(
      id,
      (_, { owner, leaseUntil, at }) => ({ type: "resume", owner, leaseUntil, at, setup, bytes, hasInput }),
      { lines, ...(by === null ? {} : { by }) },
    )
    if (!resumed.ok) return resumed
    if (resumed.run.status === "running")
      carryOut(
        resumed.run,
        answers.filter((answer) => answer !== null),
      )
    return resumed
  }

  const takeUpOne = async (run: AgentRun): Promise<boolean> => {
    if (active.has(run.id)) return false
    if (run.status === "paused") {
      const went = await go(run.id, {}, null)
      const isLeft = !went.ok && went.refusal.code === "run-waits" && went.refusal.missing.length === 0
      if (isLeft) waitingForStarter.add(run.id)
      else waitingForStarter.delete(run.id)
      return went.ok
    }
    if (run.status !== "running") return false
    const from = run.owner
    const answers = await answersTo(gate, run.answered)
    const taken = await gate.changeRun(run.id, (_, { owner, leaseUntil, at }) => ({
      type: "take-over",
      from,
      // The store named it as one whose process is gone or whose lease has lapsed.
      isGone: true,
      owner,
      leaseUntil,
      at,
    }))
    if (!taken.ok || taken.run.status !== "running") return false
    carryOut(
      taken.run,
      answers.filter((answer) => answer !== null),
    )
    return true
  }
  const takeUp = async (): Promise<number> => {
    if (closing) return 0
    let taken = 0
    for (const run of await gate.runsToTakeUp(Math.max(1, limits.legs - active.size) + waitingForStarter.size)) {
      if (await takeUpOne(run)) taken += 1
    }
    return taken
  }
  const unsubscribe = gate.events((event) => {
    if (closing) return
    if (event.type === "agent-run.changed") {
      const own = active.get(event.subject)
      if (own !== undefined) void stopIfEnded(gate, event.subject, own.stop).catch(onTrouble)
    } else if (event.type.startsWith("approval.") && event.type !== "approval.pending") {
      void answered(event.subject).catch(onTrouble)
    }
  })
  /** An answer may be the last one that its run waits for. */
  const answered = async (id: string): Promise<void> => {
    const approval = await gate.approval(id)
    if (approval?.key === undefined || approval.status === "pending") return
    if (!isRunPrincipal(approval.principal.id)) return
    const run = await gate.run(approval.session.id)
    if (run?.status === "paused") await takeUpOne(run)
  }
  return {
    start: async (order, by) => {
      const model = order.model ?? options.defaultModel()
      if (model === undefined) return refused({ code: "no-model", detail: noModel })
      const full = await tooMany(gate, limits, by)
      if (full !== null) return refused(full)
      const id = options.newId()
      const text = JSON.stringify({ messages: order.messages })
      if (text.length > limits.bytes) return refused(tooLarge(limits))
      const line = { run: id, seq: 1, name: lineNames.input(1), at: options.now(), text }
      const setup: RunSetup = {
        model,
        servers: order.servers,
        maxSteps: Math.min(order.maxSteps ?? limits.steps, limits.steps),
        ...(order.instructions === undefined ? {} : { instructions: order.instructions }),
        ...(order.trace === undefined ? {} : { trace: order.trace }),
        ...(order.metadata === undefined ? {} : { metadata: order.metadata }),
        ...(order.face === undefined ? {} : { face: order.face }),
      }
      const title = order.title ?? titleOf(order.messages)
      const principal = order.principal ?? "run"
      const begun = { id, principal, startedBy: by, title, setup, bytes: text.length }
      const run = await gate.startRun(begun, [line], by.id)
      carryOut(run, [])
      return { ok: true, run }
    },
    go,
    cancel: async (id, by, detail = "it was cancelled.") => {
      active.get(id)?.stop.abort()
      return gate.cancelRun(id, { by, detail })
    },
    remove: (id, by) => gate.removeRun(id, by),
    get: (id) => gate.run(id),
    waitsFor: async (run) => {
      const waiting: Waiting[] = []
      for (const requirement of run.status === "paused" ? run.requirements : []) {
        const approval = requirement.approval === null ? undefined : await gate.approval(requirement.approval)
        if (approval?.status === "pending") waiting.push({ requirement, approval })
      }
      return waiting
    },
    settled: async (id, signal) => {
      for (;;) {
        const changed = runChange(gate, id, signal)
        const run = await gate.run(id)
        if (run?.status !== "running" || signal?.aborted === true) {
          changed.stop()
          return run
        }
        await changed.next
      }
    },
    watch: live.watch,
    takeUp,
    renewLeases: async () => {
      for (const id of active.keys()) {
        await gate.changeRun(id, (_, { owner, leaseUntil, at }) => ({ type: "renew-lease", owner, leaseUntil, at }))
      }
    },
    close: async () => {
      closing = true
      unsubscribe()
      const legs = [...active.values()]
      for (const { stop } of legs) stop.abort()
      for (const resolve of queue.splice(0)) resolve()
      await Promise.all(legs.map(({ ended }) => ended))
    },
  }
}

const noModel =
  "No model is configured. Add one under `models:` in byleave.yaml; `byleave doctor` shows model servers found on this machine."

type Prepared = { readonly model: LanguageModelV4; readonly tools: readonly OfferedTool[]; readonly ungated?: ToolSet }
type Unprepared = { readonly failure: { readonly retryable: boolean; readonly detail: string } }

async function prepare(options: RunsOptions, run: RunningRun): Promise<Prepared | Unprepared> {
  try {
    const model = await options.openModel(run.setup.model)
    const listed = await options.tools.list(run.setup.servers, {
      principal: principalOfRun(run),
      session: runSession(run),
    })
    const tools = listed.tools.filter((tool) => options.offers?.(run, tool) !== false)
    const ungated = options.faceTools?.(run)
    return { model, tools, ...(ungated === undefined ? {} : { ungated }) }
  } catch (error) {
    return { failure: options.failureOf(error) }
  }
}

function setupWith(setup: RunSetup, changes: RunInput["setup"] = {}): RunSetup {
  const { instructions: was, ...rest } = setup
  const { instructions = "instructions" in changes ? undefined : was, ...others } = changes
  return { ...rest, ...others, ...(instructions === undefined ? {} : { instructions }) }
}

/** Null: not answered yet. */
async function answersTo(
  gate: Pick<CallerGate, "approval">,
  requirements: readonly Requirement[],
): Promise<ReadonlyArray<RequirementAnswer | null>> {
  return Promise.all(
    requirements.map(async ({ approval: id, toolCall }) => {
      const approval = id === null ? undefined : await gate.approval(id)
      if (approval === undefined) return { toolCall, approved: true }
      return answerOf(approval, toolCall)
    }),
  )
}

function answerOf(approval: Approval, toolCall: string): RequirementAnswer | null {
  const word = wordOn(approval)
  return word === null ? null : { toolCall, ...word }
}

async function inputLines(
  gate: RunGate,
  run: AgentRun,
  messages: readonly ModelMessage[],
  now: () => number,
): Promise<readonly JournalLine[]> {
  let after = 0
  for (;;) {
    const page = await gate.journal(run.id, after)
    const last = page.at(-1)
    if (last === undefined) break
    after = last.seq
  }
  const text = JSON.stringify({ messages })
  return [{ run: run.id, seq: after + 1, name: lineNames.input(run.legs + 1), at: now(), text }]
}

async function tooMany(gate: RunGate, limits: RunLimits, by: RunStarter): Promise<RunsRefusal | null> {
  const statuses = ["running", "paused"] as const
  const own = await gate.countRuns({ statuses, startedBy: by })
  if (own >= limits.openPerStarter) {
    return {
      code: "too-many-runs",
      detail: `${own} runs of yours are not over; the limit is ${limits.openPerStarter}.`,
    }
  }
  const all = await gate.countRuns({ statuses })
  if (all < limits.openInAll) return null
  return { code: "too-many-runs", detail: `${all} runs are not over; the limit is ${limits.openInAll}.` }
}

function tooLarge(limits: RunLimits): RunsRefusal {
  const detail = `A run may have ${Math.floor(limits.bytes / 1024 / 1024)} MB of messages and results at the most.`
  return { code: "run-too-large", detail }
}

/** The first words of the task. */
function titleOf(messages: readonly ModelMessage[]): string {
  const [first] = messages.filter(({ role }) => role === "user")
  const content = first?.content ?? ""
  const text =
    typeof content === "string" ? content : content.flatMap((part) => (part.type === "text" ? part.text : [])).join(" ")
  const line = text.trim().replaceAll(/\s+/g, " ")
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

async function stopIfEnded(gate: RunGate, id: string, stop: AbortController): Promise<void> {
  const run = await gate.run(id)
  if (run?.status === "cancelled" || run === undefined) stop.abort()
}

/** Resolves with the next event about the approval. */
function changeOf(gate: Pick<CallerGate, "events">, approval: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = gate.events((event) => {
      if (event.subject !== approval) return
      stop()
      resolve()
    })
  })
}

function runChange(gate: Pick<CallerGate, "events">, id: string, signal: AbortSignal | undefined) {
  const next = Promise.withResolvers<void>()
  const unsubscribe = gate.events((event) => {
    if (event.type === "agent-run.changed" && event.subject === id) stop()
  })
  const stop = (): void => {
    unsubscribe()
    signal?.removeEventListener("abort", stop)
    next.resolve()
  }
  signal?.addEventListener("abort", stop, { once: true })
  return { next: next.promise, stop }
}

function refused(refusal: RunsRefusal): { readonly ok: false; readonly refusal: RunsRefusal } {
  return { ok: false, refusal }
}
