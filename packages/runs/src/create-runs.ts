/**
 * The runs of one process: starts them, takes up what became answerable or was left behind, and carries their legs out.
 *
 * I1. A run is taken up by one process: by compare-and-set in the store.
 * I2. A paused run is nothing here: no timer, no listener, no memory.
 * I3. Whoever closes leaves runs that others take up where these ended.
 * I4. A leg begins from the run it was thought of for: with every answer, and with none of another pause.
 * I5. An answer that comes while its run pauses is not missed.
 */

import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  type AgentRun,
  type Approval,
  type CallerGate,
  type CarriedRun,
  isRunPrincipal,
  type JournalLine,
  type JsonObject,
  openCallsOf,
  type PausedRun,
  principalOfRun,
  type Requirement,
  type RunGate,
  type RunImported,
  type RunningRun,
  type RunPrincipal,
  type RunRefusal,
  type RunSetup,
  type RunStarter,
  runSession,
  StoreError,
  type StoreEvent,
  utf8Length,
} from "@byleave/core"
import type { ModelMessage, ToolSet } from "ai"
import { wordOn } from "./front/run-approvals.ts"
import type { NamedHostTools } from "./host-tools.ts"
import { lineNames, tooLargeWords } from "./journal/journal.ts"
import { createLegSlots } from "./leg-slots.ts"
import { createLiveParts, type RunNews } from "./live-parts.ts"
import { type LegEnd, type LegSettings, type RequirementAnswer, runLeg } from "./loop/run-leg.ts"
import { defaultModelTimeouts, defaultRunLimits, type ModelTimeouts, type RunLimits } from "./run-limits.ts"
import type { OfferedTool, OfferedTools, ToolSource } from "./tools.ts"

export type RunsOptions = {
  readonly gate: RunGate & Pick<CallerGate, "events" | "approval">
  readonly tools: ToolSource
  /** Rejects with words that say what to do where a model cannot be used. */
  readonly openModel: (name: string) => Promise<LanguageModelV4>
  /** The name of the model that is used where nobody names one. */
  readonly defaultModel: () => string | undefined
  /** Functions of this program that nobody is asked about, by the names that models call them by. */
  readonly ungated?: NamedHostTools
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
  readonly timeouts?: Partial<ModelTimeouts>
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

/** A run that was carried here, with the lines of its journal in order. */
export type BroughtRun = Omit<CarriedRun, "id" | "startedBy" | "bytes"> & {
  readonly lines: ReadonlyArray<Pick<JournalLine, "name" | "text">>
}

export type RunsRefusal =
  | RunRefusal
  | Extract<RunImported, { readonly ok: false }>["refusal"]
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
  /** Takes a run over that was carried here, and lets it go on. */
  readonly bring: (run: BroughtRun, by: RunStarter) => Promise<RunsAnswer>
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
  const timeouts = { ...defaultModelTimeouts, ...options.timeouts }
  const ungated = new Map(Object.entries(options.ungated ?? {}))
  const live = createLiveParts(onTrouble)
  const slots = createLegSlots(limits.legs)
  const active = new Map<string, ActiveLeg>()
  /** Runs that were left because their starter must bring something: they keep no other from being found. */
  const waitingForStarter = new Set<string>()
  let closing = false
  /** There may be more to take up than was taken. */
  let more = false

  const carryOut = (run: RunningRun, answers: readonly RequirementAnswer[]): void => {
    // Whoever takes runs up next finds this one: its process is going.
    if (closing) return
    const stop = new AbortController()
    const leg: ActiveLeg = { run, stop, ended: Promise.resolve(), ownLines: 0, looking: null }
    active.get(run.id)?.stop.abort()
    active.set(run.id, leg)
    live.begin(run.id, run.legs)
    leg.ended = slots
      .whenFree(stop.signal, () => legOf(leg, answers))
      .catch((trouble: unknown) => {
        onTrouble(trouble)
        return "stopped" as const
      })
      .then((end) => {
        if (active.get(run.id) === leg) active.delete(run.id)
        live.end(run.id, run.legs)
        void afterLeg(run.id, end).catch(onTrouble)
      })
  }
  /** An answer may have come while the run paused, and policy may have stopped asking. */
  const afterLeg = async (id: string, end: LegEnd | undefined): Promise<void> => {
    if (end === "paused") {
      const run = await gate.run(id)
      if (run?.status === "paused") await takeUpOne(run)
    }
    if (more) await takeUp()
  }
  const legOf = async (active: ActiveLeg, answers: readonly RequirementAnswer[]): Promise<LegEnd> => {
    const { run } = active
    const { signal } = active.stop
    const { owner, legs: leg, steps, usage, bytes } = run
    const fail = async (retryable: boolean, detail: string): Promise<LegEnd> => {
      const event = { type: "fail" as const, owner, leg, steps, usage, bytes, retryable, detail }
      const failed = await gate.changeRun(run.id, (_, { at }) => ({ ...event, at }))
      return failed.ok ? "failed" : "lost"
    }
    const prepared = await prepare(options, run)
    // Nothing was done yet: once what is missing is back, the run goes on.
    if ("failure" in prepared) return fail(true, prepared.failure.detail)
    const tell = (news: RunNews): void => live.tell(run.id, news)
    try {
      return await runLeg(
        {
          gate: countingLines(gate, active),
          ...prepared,
          ungated,
          carryOut: options.tools.call,
          askFirst: (tool) => options.askFirst?.(run, tool) === true,
          settings: options.modelSettings?.(run) ?? {},
          changed: (approval) => changeOf(gate, approval, signal),
          maxRetries: options.maxRetries ?? 2,
          timeouts,
          maxBytes: limits.bytes,
          now: options.now,
          onPart: (part) => tell({ type: "part", leg, part }),
          onRetry: (attempt) => tell({ type: "retry", leg, attempt }),
          signal,
          isClosing: () => closing,
          failureOf: options.failureOf,
        },
        run,
        answers,
      )
    } catch (error) {
      // What the store failed is taken up again once the lease lapses; a defect would only come back.
      if (!(error instanceof StoreError)) await fail(false, "Byleave could not carry this run out. Its log says why.")
      throw error
    }
  }

  const go: Runs["go"] = async (id, input, by) => {
    for (;;) {
      const went = await goOnce(id, input, by)
      if (went.ok || went.refusal.code !== "run-changed") return went
    }
  }
  const goOnce: Runs["go"] = async (id, input, by) => {
    // Another process goes on with it.
    if (closing) return refused({ code: "run-not-owned" })
    const run = await gate.run(id)
    if (run === undefined) return refused({ code: "run-not-found" })
    const model = input.setup?.model ?? run.setup.model
    const setup = setupWith({ ...run.setup, model }, input.setup)
    const open = openCallsOf(run)
    const answers = await answersTo(gate, open)
    const missing = open.filter((_, at) => answers[at] === null)
    if (missing.length > 0) return refused({ code: "run-waits", missing })
    const brought = run.status === "paused" ? ((await options.broughtInput?.(run, gate)) ?? []) : []
    if (brought === "missing") return refused({ code: "run-waits", missing: [] })
    const messages = [...brought, ...(input.messages ?? [])]
    const hasInput = messages.length > 0
    const lines = hasInput ? await inputLines(gate, run, messages, options.now) : []
    const bytes = run.bytes + lines.reduce((sum, { text }) => sum + utf8Length(text), 0)
    if (hasInput && bytes > limits.bytes) return refused(tooLarge(limits))
    const resumed = await gate.changeRun(
      id,
      (_, { owner, leaseUntil, at }) => ({ type: "resume", owner, leaseUntil, at, setup, bytes, hasInput }),
      { lines, version: run.version, ...(by === null ? {} : { by }) },
    )
    if (resumed.ok && resumed.run.status === "running") carryOut(resumed.run, answers.filter(isAnswer))
    return resumed
  }
  const mustBeOpen = (): void => {
    if (closing) throw new StoreError("closed", "Byleave is shutting down.")
  }

  const takeUpOne = async (run: AgentRun): Promise<boolean> => {
    if (closing) return false
    if (run.status === "paused") {
      const went = await go(run.id, {}, null)
      const isLeft = !went.ok && went.refusal.code === "run-waits" && went.refusal.missing.length === 0
      if (isLeft) waitingForStarter.add(run.id)
      else waitingForStarter.delete(run.id)
      return went.ok
    }
    if (run.status !== "running" || active.has(run.id)) return false
    const { owner: from, version } = run
    const answers = await answersTo(gate, run.answered)
    // The store named it as one whose process is gone or whose lease has lapsed: as of this version.
    const taken = await gate.changeRun(
      run.id,
      (_, { owner, leaseUntil, at }) => ({ type: "take-over", from, isGone: true, owner, leaseUntil, at }),
      { version },
    )
    if (!taken.ok || taken.run.status !== "running") return false
    carryOut(taken.run, answers.filter(isAnswer))
    return true
  }
  const takeUp = async (): Promise<number> => {
    if (closing) return 0
    const limit = Math.max(1, limits.legs - active.size) + waitingForStarter.size
    const found = await gate.runsToTakeUp(limit)
    more = found.length === limit
    let taken = 0
    for (const run of found) if (await takeUpOne(run)) taken += 1
    return taken
  }
  const unsubscribe = gate.events((event) => {
    if (closing) return
    if (event.type === "agent-run.changed") {
      const own = active.get(event.subject)
      if (own === undefined) return
      if (own.ownLines > 0) own.ownLines -= 1
      else lookAfter(gate, own).catch(onTrouble)
    } else if (isAnswered.has(event.type)) {
      answered(event.subject).catch(onTrouble)
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
      mustBeOpen()
      const model = order.model ?? options.defaultModel()
      if (model === undefined) return refused({ code: "no-model", detail: noModel })
      const full = await tooMany(gate, limits, by)
      if (full !== null) return refused(full)
      const id = options.newId()
      const text = JSON.stringify({ messages: order.messages })
      const bytes = utf8Length(text)
      if (bytes > limits.bytes) return refused(tooLarge(limits))
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
      const begun = { id, principal, startedBy: by, title, setup, bytes }
      const run = await gate.startRun(begun, [line], by.id)
      carryOut(run, [])
      return { ok: true, run }
    },
    bring: async ({ lines, ...carried }, by) => {
      mustBeOpen()
      const full = await tooMany(gate, limits, by)
      if (full !== null) return refused(full)
      const bytes = lines.reduce((sum, { text }) => sum + utf8Length(text), 0)
      if (bytes > limits.bytes) return refused(tooLarge(limits))
      const id = options.newId()
      const at = options.now()
      const setup = { ...carried.setup, maxSteps: Math.min(carried.setup.maxSteps, limits.steps) }
      const brought = await gate.importRun(
        { ...carried, id, setup, startedBy: by, bytes },
        lines.map((line, before) => ({ run: id, seq: before + 1, at, ...line })),
        by.id,
      )
      if (!brought.ok) return brought
      const answers = await answersTo(gate, brought.run.answered)
      carryOut(brought.run, answers.filter(isAnswer))
      return brought
    },
    go,
    cancel: async (id, by, detail = "it was cancelled.") => {
      const cancelled = await gate.cancelRun(id, { by, detail })
      if (cancelled.ok) active.get(id)?.stop.abort()
      return cancelled
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
        // A leg that is here tells when it has ended; only others' are heard of by events.
        await untilEnded(active.get(id), signal)
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
      for (const [id, { stop }] of [...active]) {
        const renewed = await gate.changeRun(id, (_, mine) => ({ type: "renew-lease", ...mine }))
        if (!renewed.ok) stop.abort()
      }
    },
    close: async () => {
      closing = true
      unsubscribe()
      const legs = [...active.values()]
      for (const { stop } of legs) stop.abort()
      await Promise.all(legs.map(({ ended }) => ended))
    },
  }
}

type ActiveLeg = {
  readonly run: RunningRun
  readonly stop: AbortController
  ended: Promise<void>
  /** Lines that the leg has written and whose events have not come yet: what one's own lines tell is known. */
  ownLines: number
  /** A look at the run that is under way; `again`: something has happened since it began. */
  looking: "once" | "again" | null
}

/** What an approval becomes by an answer, or by time. */
const isAnswered: ReadonlySet<StoreEvent["type"]> = new Set([
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
])

const noModel =
  "No model is configured. Add one under `models:` in byleave.yaml; `byleave doctor` shows model servers found on this machine."

type Prepared = {
  readonly model: LanguageModelV4
  readonly tools: readonly OfferedTool[]
  readonly faceTools?: ToolSet
}
type Unprepared = { readonly failure: { readonly retryable: boolean; readonly detail: string } }

async function prepare(options: RunsOptions, run: RunningRun): Promise<Prepared | Unprepared> {
  try {
    const model = await options.openModel(run.setup.model)
    const { tools, unreachable } = await options.tools.list(run.setup.servers, {
      principal: principalOfRun(run),
      session: runSession(run),
    })
    const away = unreachable.find(({ server }) => run.answered.some(({ tool }) => tool.server === server))
    if (away !== undefined) return { failure: { retryable: true, detail: awayWords(away) } }
    const offered = tools.filter((tool) => options.offers?.(run, tool) !== false)
    const faceTools = options.faceTools?.(run)
    return { model, tools: offered, ...(faceTools === undefined ? {} : { faceTools }) }
  } catch (error) {
    return { failure: options.failureOf(error) }
  }
}

function awayWords({ server, detail }: OfferedTools["unreachable"][number]): string {
  return `The server ${server}, which calls of this run wait for, cannot be reached: ${detail} Continue the run when it is back.`
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

function isAnswer(answer: RequirementAnswer | null): answer is RequirementAnswer {
  return answer !== null
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
  return { code: "run-too-large", detail: tooLargeWords(limits.bytes) }
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

/** A line that cannot be written has no event; then the leg stops anyway. */
function countingLines(gate: RunsOptions["gate"], leg: ActiveLeg): RunsOptions["gate"] {
  return {
    ...gate,
    journalLines: (run, lines) => {
      leg.ownLines += 1
      return gate.journalLines(run, lines)
    },
  }
}

/** Stops a leg whose run was ended or goes on elsewhere. One look at a time will do. */
async function lookAfter(gate: RunGate, leg: ActiveLeg): Promise<void> {
  if (leg.looking !== null) {
    leg.looking = "again"
    return
  }
  try {
    do {
      leg.looking = "once"
      const run = await gate.run(leg.run.id)
      const isOwn = run?.status === "running" && run.owner === leg.run.owner && run.legs === leg.run.legs
      if (!isOwn) return leg.stop.abort()
    } while (isAgain(leg))
  } finally {
    leg.looking = null
  }
}

function isAgain({ looking }: ActiveLeg): boolean {
  return looking === "again"
}

/** Resolves with the next event about the approval, or when it is told to stop. */
function changeOf(gate: Pick<CallerGate, "events">, approval: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      unsubscribe()
      signal.removeEventListener("abort", end)
      resolve()
    }
    const unsubscribe = gate.events(({ subject }) => {
      if (subject === approval) end()
    })
    signal.addEventListener("abort", end, { once: true })
    if (signal.aborted) end()
  })
}

async function untilEnded(leg: ActiveLeg | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (leg === undefined || signal?.aborted === true) return
  const stopped = new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }))
  await Promise.race([leg.ended, stopped])
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
