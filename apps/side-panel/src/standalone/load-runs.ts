/** The loop of agent runs, with the library of models; loaded when somebody sends the first message. */
import { type Call, type JsonObject, portableHasher } from "@byleave/core"
import { toolNames } from "@byleave/gateway/tool-names"
import {
  createReadPace,
  createRuns,
  modelFailure,
  type OfferedTools,
  openModel,
  type Runs,
  type ToolSource,
} from "@byleave/runs"
import { modelKeyOf } from "../settings/settings.ts"
import { createCallNotes } from "../worker/call-notes.ts"
import { demoModel, demoScript } from "./demo-script.ts"
import { type Engine, ownModel, serverIds } from "./engine.ts"
import { newId } from "./identity.ts"
import { seeServer } from "./known-servers.ts"
import { callNoted } from "./settle-calls.ts"
import { callByWorker, listServer } from "./worker-calls.ts"

// The extension forbids itself to evaluate text, so schemas must not even try; and the console belongs to whoever looks into it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true }, AI_SDK_LOG_WARNINGS: false })

export function loadRuns(engine: Engine, onTrouble: (trouble: unknown) => void): Runs {
  const { gate, settings } = engine
  const pace = createReadPace()
  return createRuns({
    gate,
    tools: toolsByWorker(engine),
    openModel: async (name) => {
      const { model } = settings()
      const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 12))
      if (name === demoModel || model === null) return openModel(demoScript, { pause })
      const { url, model: id } = model
      const key = await modelKeyOf(model)
      return openModel({ name: ownModel, provider: "openai-compatible", url, model: id, key, headers: {} }, { pace })
    },
    defaultModel: () => (settings().model === null ? demoModel : ownModel),
    failureOf: (error) => modelFailure(error, { redactText: engine.redactText }),
    redactText: engine.redactText,
    newId,
    now: Date.now,
    onTrouble,
  })
}

function toolsByWorker(engine: Engine): ToolSource {
  return {
    list: async (servers) => {
      const listed = await Promise.all(servers.map((server) => offeredBy(engine, server)))
      return {
        tools: listed.flatMap(({ tools }) => tools),
        unreachable: listed.flatMap(({ unreachable }) => unreachable),
      }
    },
    call: (call: Call, args: JsonObject, context) =>
      callNoted(context, createCallNotes(chrome.storage.session), (key) =>
        callByWorker(call, args, { key, cancelled: context.cancelled }),
      ),
  }
}

/** A reply does not wait longer for the tools of one server. */
const graceMs = 5_000

function afterGrace(): Promise<{ readonly success: false; readonly error: string }> {
  const reply = {
    success: false,
    error: "It did not list its tools within 5 seconds, so this reply goes without them.",
  } as const
  return new Promise((resolve) => setTimeout(() => resolve(reply), graceMs))
}

async function offeredBy(engine: Engine, server: string): Promise<OfferedTools> {
  const { gate, settings } = engine
  const reply = await Promise.race([listServer(server), afterGrace()])
  if (!reply.success) return { tools: [], unreachable: [{ server, detail: reply.error }] }
  const tools = await seeServer(engine, server, reply.data)
  const offered = await gate.offeredTools(server, tools)
  const names = toolNames(
    server,
    offered.map(({ name }) => name),
    serverIds(settings()),
    portableHasher,
  )
  return {
    tools: offered.flatMap((definition) => {
      const name = names.nameOf(definition.name)
      if (name === undefined) return []
      const { description, inputSchema } = definition
      return [
        {
          ref: { server, tool: definition.name },
          name,
          inputSchema: (inputSchema ?? { type: "object" }) as JsonObject,
          listed: { definition: tools.find((tool) => tool.name === definition.name) ?? definition },
          ...(typeof description === "string" ? { description } : {}),
        },
      ]
    }),
    unreachable: [],
  }
}
