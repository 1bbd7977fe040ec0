/**
 * The runs of one process: starts them, takes up what became answerable or was left behind, and carries their legs out.
 *
 * I1. A run is taken up by one process: by compare-and-set in the store.
 * I2. A paused run is nothing here: no timer, no listener, no memory.
 * I3. Whoever closes leaves runs that others take up where these ended.
 * I4. A leg begins from the run it was thought of for: with every answer, and with none of another pause.
 * I5. An answer that comes while its run pauses is not missed.
 * I6. Nothing more is done for a run whose starter's credential was revoked: it is cancelled.
 */

import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  type AgentRun,
  isRunPrincipal,
  type JournalLine,
  openCallsOf,
  principalOfRun,
  type RunningRun,
  type RunSetup,
  type RunStarter,
  runSession,
  StoreError,
  type StoreEvent,
  utf8Length,
} from "@byleave/core"
import type { ToolSet } from "ai"
import { type ActiveLeg, bytesOf, changeOf, countingLines, lookAfter, runChange, untilEnded } from "./active-leg.ts"
import { lineNames } from "./journal/journal.ts"
import { createLegSlots } from "./leg-slots.ts"
import { createLiveParts, type RunNews } from "./live-parts.ts"
import type { LegEnd } from "./loop/end-leg.ts"
import { type RequirementAnswer, runLeg } from "./loop/run-leg.ts"
import { answersTo, isAnswer } from "./requirement-answers.ts"
import { defaultModelLimits, defaultModelTimeouts, defaultRunLimits } from "./run-limits.ts"
import {
  inputLines,
  longInstructions,
  roomFor,
  setupWith,
  stopLines,
  titleOf,
  tooLarge,
  tooMany,
  tooMuchOpen,
} from "./run-order.ts"
import type { Runs, RunsOptions, RunsRefusal, Waiting } from "./runs.ts"
import type { OfferedTool, OfferedTools } from "./tools.ts"

export function createRuns(options: RunsOptions): Runs {
  const { gate, onTrouble } = options
  const limits = { ...defaultRunLimits, ...options.limits }
  const timeouts = { ...defaultModelTimeouts, ...options.timeouts }
  const modelLimits = { ...defaultModelLimits, ...options.modelLimits }
  const ungated = new Map(Object.entries(options.ungated ?? {}))
  const redactText = options.redactText ?? ((text: string) => text)
  const live = createLiveParts(onTrouble)
  const slots = createLegSlots(limits.legs, limits.legBytesPerStarter)
  const active = new Map<string, ActiveLeg>()
  /** Runs that were left because their starter must bring something: they keep no other from being found. */
  const waitingForStarter = new Set<string>()
  let closing = false
  /** There may be more to take up than was taken. */
  let more = false

  const carryOut = (run: RunningRun, answers: readonly RequirementAnswer[]): void => {
    // The process is closing: the next process that takes up runs finds this one.
    if (closing) return
    const stop = new AbortController()
    const leg: ActiveLeg = { run, stop, ended: Promise.resolve(), ownLines: 0, bytes: run.bytes, looking: null }
    active.get(run.id)?.stop.abort()
    active.set(run.id, leg)
    live.begin(run.id, run.legs)
    leg.ended = slots
      .whenFree({ starter: starterKey(run.startedBy), bytes: run.bytes }, stop.signal, () => legOf(leg, answers))
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
    if (await endRevoked(run)) return "lost"
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
          changes: () => options.tools.changes?.(runSession(run)),
          askFirst: (tool) => options.askFirst?.(run, tool) === true,
          settings: options.modelSettings?.(run) ?? {},
          changed: (approval) => changeOf(gate, approval, signal),
          maxRetries: options.maxRetries ?? 2,
          timeouts,
          modelLimits,
          room: await roomFor(gate, limits, run),
          waiting: limits.waiting,
          now: options.now,
          onPart: (part) => tell({ type: "part", leg, part }),
          onRetry: (attempt) => tell({ type: "retry", leg, attempt }),
          signal,
          isClosing: () => closing,
          failureOf: options.failureOf,
          redactText,
        },
        run,
        answers,
      )
    } catch (error) {
      // A run that failed because of the store is taken up again once its lease lapses; a defect would only come back.
      if (!(error instanceof StoreError)) await fail(false, "Byleave could not carry this run out. Its log says why.")
      throw error
    }
  }

  const endRevoked: Runs["endRevoked"] = async (run) => {
    if (options.isRevoked === undefined || !(await options.isRevoked(run))) return false
    const ended = await gate.cancelRun(run.id, { by: null, detail: "its token was revoked." })
    if (ended.ok) active.get(run.id)?.stop.abort()
    return true
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
    if (await endRevoked(run)) return refused({ code: "run-ended", status: "cancelled" })
    const model = input.setup?.model ?? run.setup.model
    const setup = setupWith({ ...run.setup, model }, input.setup)
    const tooLong = longInstructions(setup)
    if (tooLong !== null) return refused(tooLong)
    const open = openCallsOf(run)
    const answers = await answersTo(gate, open)
    const missing = open.filter((_, at) => answers[at] === null)
    if (missing.length > 0) return refused({ code: "run-waits", missing })
    const brought = run.status === "paused" ? ((await options.broughtInput?.(run, gate)) ?? []) : []
    if (brought === "missing") return refused({ code: "run-waits", missing: [] })
    const messages = [...brought, ...(input.messages ?? [])]
    const hasInput = messages.length > 0
    const lines = hasInput ? await inputLines(gate, run, messages, options.now) : []
    const bytes = run.bytes + bytesOf(lines)
    if (hasInput && bytes > limits.bytes) return refused(tooLarge(limits))
    const others = hasInput ? await othersOf(run) : 0
    if (hasInput && others + bytes > limits.openBytesPerStarter) return refused(tooMuchOpen(limits, { bytes: others }))
    const resumed = await gate.changeRun(
      id,
      (_, { owner, leaseUntil, at }) => ({ type: "resume", owner, leaseUntil, at, setup, bytes, hasInput }),
      { lines, version: run.version, ...(by === null ? {} : { by }) },
    )
    if (resumed.ok && resumed.run.status === "running") carryOut(resumed.run, answers.filter(isAnswer))
    return resumed
  }
  /** Bytes of the starter's other runs that are not over. */
  const othersOf = async (run: AgentRun): Promise<number> => {
    const { bytes } = await gate.openRuns(run.startedBy)
    return run.status === "paused" || run.status === "running" ? bytes - run.bytes : bytes
  }
  const linesOfStop = ({ run, bytes }: ActiveLeg): Promise<readonly JournalLine[]> => {
    const said = redactText(live.textOfStep(run.id))
    return stopLines(gate, run, { said, room: limits.bytes - bytes }, options.now)
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
      const text = JSON.stringify({ messages: order.messages })
      const bytes = utf8Length(text)
      if (bytes > limits.bytes) return refused(tooLarge(limits))
      const tooLong = longInstructions(order)
      if (tooLong !== null) return refused(tooLong)
      const full = await tooMany(gate, limits, by, bytes)
      if (full !== null) return refused(full)
      const id = options.newId()
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
      const bytes = lines.reduce((sum, { text }) => sum + utf8Length(text), 0)
      if (bytes > limits.bytes) return refused(tooLarge(limits))
      const full = await tooMany(gate, limits, by, bytes)
      if (full !== null) return refused(full)
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
    stop: async (id, by, deniedBy) => {
      for (let attempt = 0; attempt < mostStopAttempts; attempt++) {
        const own = active.get(id)
        const lines = own === undefined ? undefined : await linesOfStop(own)
        const bytes = own === undefined ? undefined : own.bytes + bytesOf(lines ?? [])
        const stopped = await gate.stopRun(id, { by, deniedBy, lines, bytes })
        if (stopped.ok) own?.stop.abort()
        // A line that the leg wrote in the meantime has the number of ours.
        if (stopped.ok || lines === undefined || stopped.refusal.code !== "run-not-owned") return stopped
      }
      return refused({ code: "run-not-owned" })
    },
    cancel: async (id, by, detail = "it was cancelled.") => {
      const cancelled = await gate.cancelRun(id, { by, detail })
      if (cancelled.ok) active.get(id)?.stop.abort()
      return cancelled
    },
    endRevoked,
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

const mostStopAttempts = 5

/** The events by which an approval is answered, or ends by time. */
const isAnswered: ReadonlySet<StoreEvent["type"]> = new Set([
  "approval.approved",
  "approval.denied",
  "approval.expired",
  "approval.cancelled",
  "approval.superseded",
])

/** Whose turn a leg takes. */
function starterKey({ kind, id }: RunStarter): string {
  return `${kind} ${id}`
}

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
    const who = { principal: principalOfRun(run), session: runSession(run) }
    const [model, { tools, unreachable }] = await Promise.all([
      options.openModel(run.setup.model),
      options.tools.list(run.setup.servers, who),
    ])
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

function refused(refusal: RunsRefusal): { readonly ok: false; readonly refusal: RunsRefusal } {
  return { ok: false, refusal }
}
