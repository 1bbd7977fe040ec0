import type { ServerView } from "@byleave/api"
import { reasonOf } from "@byleave/core"
import { toolKnowledge, toolWords } from "@byleave/server/views"
import { healthOf } from "../settings/server-health.ts"
import { type Engine, notebookServer } from "./engine.ts"

const anyone = { principal: { id: "chat" }, session: { principal: "chat", id: "", named: true } }

export async function serverView(engine: Engine, id: string): Promise<ServerView> {
  const { gate, store, policy, validator, settings } = engine
  const known = toolKnowledge({ policy, validator }, await store.decisionState())
  const kept = settings().servers.find((server) => server.id === id)
  const health = await healthOf(id)
  const names = known.toolsOf(id)
  const tools = names.map(async (name) => {
    const { access, accessFrom, pin, definition } = known.factsOf({ server: id, tool: name })
    const target = { server: id, kind: "tool", name } as const
    const decision = await gate.foresee(target, undefined, anyone)
    const words = definition === null ? null : toolWords(definition)
    return {
      name,
      access,
      accessFrom,
      pin,
      definition: words,
      effect: decision.effect,
      why: reasonOf(decision, target),
    }
  })
  const isOwn = id === notebookServer
  return {
    id,
    transport: "http",
    target: kept?.url ?? "In this extension",
    hasCredentials: kept?.headers != null,
    trust: "none",
    folder: null,
    health: {
      state: isOwn ? "connected" : (health?.state ?? "idle"),
      era: null,
      lastConnectedAt: isOwn ? Date.now() : (health?.lastConnectedAt ?? null),
      lastError: health?.lastError ?? null,
      retryAt: null,
      links: 0,
    },
    stopped: false,
    quarantined: known.quarantineOf(id),
    tools: await Promise.all(tools),
    toolsCut: null,
  }
}
