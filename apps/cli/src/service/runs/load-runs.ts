import { setTimeout as wait } from "node:timers/promises"
import { type ModelConfig, principalOfRun, runSession, textAt } from "@byleave/core"
import { newId } from "@byleave/core/node"
import type { Gateway } from "@byleave/gateway"
import { responsesHooks } from "@byleave/responses"
import {
  agentResponse,
  createReadPace,
  createRuns,
  modelFailure,
  openModel,
  recordRun,
  type ToolSource,
  toldPart,
} from "@byleave/runs"
import { newestText } from "@byleave/runs/story"
import { carriedRuns } from "./carried-runs.ts"
import { chosenModel } from "./chosen-model.ts"
import type { LoadedRuns, RunsBase, RunsParts } from "./open-runs.ts"
import { runProtocols } from "./run-protocols.ts"

/** A model that the configuration does not let us use; its words say what to do. */
class UnusableModel extends Error {
  override readonly name = "UnusableModel"
}

/** Everything that needs the library of models. */
export function loadRuns(base: RunsBase, parts: RunsParts): LoadedRuns {
  const { gate, gateway, isRevoked } = parts
  const { models, redactor, io, onTrouble } = base
  // It would write to the console, which belongs to the person who started the service.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const tools = toolsBehind(gateway, base)
  const pace = createReadPace()
  const open = openedOnce((config) =>
    // People see how a scripted model answers at a pace at which they can read.
    openModel(config, base.isDemo ? { pace, pause: () => wait(15) } : { pace }),
  )
  const runs = createRuns({
    ...responsesHooks,
    gate,
    tools,
    openModel: async (name) => {
      const model = chosenModel(models(), name)
      if (!model.ok) throw new UnusableModel(model.why)
      return open(model.config)
    },
    defaultModel: () => models()[0]?.name,
    failureOf: (error) =>
      error instanceof UnusableModel ? { retryable: true, detail: error.message } : modelFailure(error, redactor),
    redactText: redactor.redactText,
    isRevoked,
    newId,
    now: io.now,
    onTrouble,
  })
  const states = carriedRuns(base.stateSecret, { gate, runs, now: io.now })
  return {
    runs,
    states,
    warmUp: async () => {
      const first = models()[0]
      const model = first === undefined ? undefined : chosenModel(models(), first.name)
      if (model?.ok === true) await open(model.config)
    },
    respond: async (run) => {
      const [waiting, text, state] = await Promise.all([
        runs.waitsFor(run),
        newestText(gate, run),
        states.sessionOf(run),
      ])
      // The name by which the starter knows the conversation is kept with the run.
      const conversation = textAt(run.setup.face, "conversationId")
      return agentResponse(run, { waiting, text, state, ...(conversation === undefined ? {} : { conversation }) })
    },
    record: async (run) => {
      const who = { principal: principalOfRun(run), session: runSession(run) }
      const offered = await tools.list(run.setup.servers, who)
      const recorded = await recordRun({ gate, tools: offered.tools, redact: redactor.redactText }, run.id)
      if (!recorded.ok) throw new Error(`The run ${run.id} is not there any more.`)
      return recorded.text
    },
    protocols: runProtocols(base, parts, { runs, tools }),
    watch: (id, listener) =>
      runs.watch(id, (news) => {
        if (news.type !== "part") return listener(news)
        const part = toldPart(news.part)
        if (part !== null) listener({ ...news, part })
      }),
  }
}

/** Keeps models that are reached over HTTP: they remember nothing of a run, and opening one loads its provider's package. */
function openedOnce(open: (config: ModelConfig) => Promise<OpenModel>): (config: ModelConfig) => Promise<OpenModel> {
  const kept = new WeakMap<ModelConfig, OpenModel>()
  return async (config) => {
    const model = kept.get(config) ?? (await open(config))
    if (config.provider !== "scripted") kept.set(config, model)
    return model
  }
}

type OpenModel = Awaited<ReturnType<typeof openModel>>

function toolsBehind(
  gateway: Pick<Gateway, "toolsForRun" | "prepareRunCall" | "changes">,
  { log, redactor }: Pick<RunsBase, "log" | "redactor">,
): ToolSource {
  return {
    list: async (servers, who, needed) => {
      const listing = await gateway.toolsForRun(servers, who, needed)
      for (const { server, detail } of listing.unreachable) {
        const why = redactor.redactText(detail)
        log.warn("A run has no tools of a server that cannot be reached", { run: who.session.id, server, why })
      }
      return listing
    },
    changes: gateway.changes,
    // Without a number, any change may have happened since.
    call: async (call, args, { changes = -1, ...context }) => {
      const prepared = await gateway.prepareRunCall(call.session.id, call, changes)
      if (prepared === null) return { kind: "failed", error: `There is no server called ${call.tool.server}.` }
      return prepared.ok ? prepared.run(args, context) : { kind: "failed", error: prepared.why }
    },
  }
}
