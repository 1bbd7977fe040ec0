/**
 * The service's agent runs.
 *
 * I1. The library of models, and the protocols that programs and pages use runs by, are loaded when somebody uses a run here or asks
 *     which models there are, as a page does in which one is about to begin; not before: who has no runs pays nothing for them.
 * I2. A token that is revoked takes its runs along: they end here, and nobody goes on with them.
 * I3. What became answerable while nothing was loaded is taken up all the same: on events, at the start, and by looking now and then.
 */
import type { ModelView } from "@byleave/api"
import {
  type AgentRun,
  type CallerGate,
  isRunPrincipal,
  type ModelConfig,
  type RunGate,
  type Store,
  type StoreEvent,
} from "@byleave/core"
import type { Gateway } from "@byleave/gateway"
import type { Runs } from "@byleave/runs"
import { isSaidIn, newestText, pictureOf, storyOf, wholeStory } from "@byleave/runs/story"
import { type AgentRunNews, type AgentRuns, changedToken } from "@byleave/server"
import type { KnownModel } from "../config/known-models.ts"
import { keepRuns } from "../process/timers.ts"
import type { ServiceBase } from "../service-base.ts"
import type { CarriedRuns } from "./carried-runs.ts"
import { type ChosenModel, chosenModel, refusedModel } from "./chosen-model.ts"
import { endRevokedRuns, type RevokedRun } from "./end-revoked.ts"
import type { RunProtocols } from "./run-protocols.ts"

export type OpenedRuns = AgentRuns & {
  /** Takes up runs that wait for nobody. */
  readonly takeUp: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The runs' needs from the service around them. */
export type RunsBase = Pick<ServiceBase, "redactor" | "log" | "isDemo" | "onTrouble"> & {
  readonly io: Pick<ServiceBase["io"], "now">
  /** As they are in force now. */
  readonly models: () => readonly KnownModel[]
  /** Runs are sealed with a key derived from this. */
  readonly stateSecret: string
  /** Where the service listens. */
  readonly address: () => string
}

export type RunsParts = {
  readonly gate: RunGate & Pick<CallerGate, "events" | "approval">
  readonly gateway: Pick<Gateway, "toolsForRun" | "prepareRunCall" | "changes" | "servers">
  readonly store: Pick<Store, "approvals">
  /** Whether the token that started the run is not there any more. */
  readonly isRevoked: (run: Pick<AgentRun, "startedBy" | "createdAt">) => Promise<boolean>
}

export function openRuns(base: RunsBase, parts: RunsParts): OpenedRuns {
  const { onTrouble } = base
  const { gate, isRevoked } = parts
  const watchers = new Set<(loaded: LoadedRuns) => void>()
  let loading: Promise<LoadedRuns> | null = null
  let isClosed = false
  const load = async (): Promise<LoadedRuns> => {
    loading ??= import("./load-runs.ts").then(({ loadRuns }) => loadRuns(base, parts))
    const loaded = await loading
    for (const attach of watchers) attach(loaded)
    watchers.clear()
    return loaded
  }
  const warmUp = async (): Promise<void> => (await load()).warmUp()
  const takeUp = async (): Promise<void> => {
    if (isClosed) return
    if (loading === null && (await gate.runsToTakeUp(1)).length === 0) return
    await (await load()).runs.takeUp()
  }
  // Once they are loaded, runs listen for themselves.
  const answered = async ({ type, subject }: StoreEvent): Promise<void> => {
    if (loading !== null || !type.startsWith("approval.") || type === "approval.pending") return
    const approval = await gate.approval(subject)
    if (approval?.key !== undefined && isRunPrincipal(approval.principal.id)) await takeUp()
  }
  const endRevoked = async (run: RevokedRun): Promise<void> => {
    if (loading !== null) await (await loading).runs.endRevoked(run)
    else if (await isRevoked(run)) await gate.cancelRun(run.id, { by: null, detail: "its token was revoked." })
  }
  const tokenChanged = async (event: StoreEvent): Promise<void> => {
    const token = changedToken(event)
    if (token !== null) await endRevokedRuns({ gate, endRevoked }, token)
  }
  const stops = [
    gate.events((event) => void answered(event).catch(onTrouble)),
    gate.events((event) => void tokenChanged(event).catch(onTrouble)),
    keepRuns({ takeUp, renewLeases: async () => (await loading)?.runs.renewLeases() }, onTrouble),
  ]
  const watch: AgentRuns["watch"] = (id, listener) => {
    let stop: (() => void) | null = null
    let isOver = false
    const attach = (loaded: LoadedRuns): void => {
      if (!isOver) stop = loaded.watch(id, listener)
    }
    if (loading === null) watchers.add(attach)
    else void loading.then(attach, onTrouble)
    return () => {
      isOver = true
      watchers.delete(attach)
      stop?.()
    }
  }
  return {
    start: async (order, by) => {
      return refusedModel(base.models(), order.model) ?? (await load()).runs.start(order, by)
    },
    go: async (id, input, by) => {
      const named = input.setup?.model
      const refused = named === undefined ? null : refusedModel(base.models(), named)
      return refused ?? (await load()).runs.go(id, input, by)
    },
    stop: async (id, by, deniedBy) => {
      if (loading !== null) return (await loading).runs.stop(id, by, deniedBy)
      return gate.stopRun(id, { by, deniedBy })
    },
    rename: (id, title, by) => gate.changeRun(id, (_, { at }) => ({ type: "rename", title, at }), { by }),
    models: () => {
      const known = base.models()
      if (known.length > 0 && !isClosed) void warmUp().catch(onTrouble)
      return known.map((model) => modelViewOf(model, chosenModel(known, model.name)))
    },
    cancel: async (id, by) =>
      loading === null ? gate.cancelRun(id, { by, detail: "it was cancelled." }) : (await loading).runs.cancel(id, by),
    remove: (id, by) => gate.removeRun(id, by),
    settled: async (id, signal) => (await load()).runs.settled(id, signal),
    watch,
    story: (id, after) => storyOf(gate, id, after),
    wholeStory: (id) => wholeStory(gate, id),
    isSaidIn: (id, wanted) => isSaidIn(gate, id, wanted),
    picture: (id, seq, nth) => pictureOf(gate, id, seq, nth),
    redact: base.redactor.redactText,
    textOf: (run) => newestText(gate, run),
    respond: async (run) => (await load()).respond(run),
    runOfSession: async (session) => (await load()).states.runOfSession(session),
    checkSession: async (session, run) => (await load()).states.checkSession(session, run),
    exportRun: async (id, options) => (await load()).states.exportRun(id, options),
    importRun: async (text, by) => (await load()).states.importRun(text, by),
    recordRun: async (run) => (await load()).record(run),
    answerResponses: async (request, caller) => (await load()).protocols.responses(request, caller),
    answerAgUi: async (request, caller) => (await load()).protocols.agUi(request, caller),
    answerUiChat: async (request, caller) => (await load()).protocols.uiChat(request, caller),
    reopenUiChat: async (chat, request, caller) => (await load()).protocols.reopenUiChat(chat, request, caller),
    takeUp,
    close: async () => {
      isClosed = true
      for (const stop of stops) stop()
      watchers.clear()
      if (loading !== null) await (await loading).runs.close()
    },
  }
}

function modelViewOf({ name }: KnownModel, chosen: ChosenModel): ModelView {
  if (!chosen.ok) return { name, model: null, provider: null, problem: chosen.why, images: false }
  const { config } = chosen
  const model = config.provider === "scripted" ? "scripted" : config.model
  return { name, model, provider: config.provider, problem: null, images: takesImages(config) }
}

/** The model behind a compatible address is not known: its configuration says whether it takes pictures. */
function takesImages(config: ModelConfig): boolean {
  if (config.provider === "scripted") return false
  return config.images ?? config.provider !== "openai-compatible"
}

export type LoadedRuns = {
  readonly runs: Runs
  /** Loads what the default model is reached by. */
  readonly warmUp: () => Promise<void>
  readonly states: CarriedRuns
  readonly respond: AgentRuns["respond"]
  /** A run that is over, as a recording. */
  readonly record: AgentRuns["recordRun"]
  readonly protocols: RunProtocols
  readonly watch: (id: string, listener: (news: AgentRunNews) => void) => () => void
}
