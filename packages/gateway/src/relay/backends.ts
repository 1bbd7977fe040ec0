import { setTimeout } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import type { GatewayOptions, GatewayServer } from "../gateway.ts"
import { defaultTimes } from "../hold/context.ts"
import { seeCallers } from "../hold/see-callers.ts"
import { createTaskInputs } from "../hold/task-inputs.ts"
import { createTaskStates } from "../hold/task-states.ts"
import { openUpstream } from "../upstream/open-upstream.ts"
import type { RelayContext } from "./relay-context.ts"
import { createServerBackend, type ServerBackend } from "./server-backend.ts"
import { createVisibility } from "./tools/visibility.ts"

/** The servers behind the gateway, in the order they are configured. */
export type Backends = {
  readonly context: RelayContext
  readonly get: (server: string) => ServerBackend | undefined
  readonly all: () => readonly ServerBackend[]
  /** False: there is no such server. */
  readonly stop: (server: string) => Promise<boolean>
  /** Ends its connections, and lets new ones be opened; also of one that was stopped. */
  readonly restart: (server: string) => Promise<boolean>
  readonly isStopped: (server: string) => boolean
  /** Those behind it are replaced once this returns, and have ended when it resolves. */
  readonly replace: (servers: readonly GatewayServer[]) => Promise<void>
  readonly close: () => Promise<void>
}

export function createBackends(options: GatewayOptions): Backends {
  let backends = new Map<string, ServerBackend>()
  // By id: a server that people have stopped stays so when its configuration changes.
  const stopped = new Set<string>()
  const visibility = createVisibility(options.gate, (changed) => {
    for (const backend of backends.values()) {
      // A policy also says how deep pins go, and whether new tools are offered.
      backend.definitionsChanged()
      if (changed === "policy") backend.listsChanged()
    }
  })
  const context = contextOf(options, visibility)
  const open = (server: GatewayServer): ServerBackend => {
    const { now, newId, redact, fastPath = true } = options
    const ports = { now, newId, fastPath, log: context.log, ...(redact === undefined ? {} : { redact }) }
    const upstream = openUpstream(server, ports)
    if (stopped.has(server.id)) void upstream.stop()
    return createServerBackend(context, server, upstream, () => stopped.has(server.id))
  }
  backends = new Map(options.servers.map((server) => [server.id, open(server)]))
  const endOf = async (gone: readonly ServerBackend[]): Promise<void> => {
    await Promise.all(gone.map((backend) => backend.close()))
    // They may have been replaced once more.
    for (const backend of backends.values()) backend.listsChanged()
  }
  return {
    context,
    get: (server) => backends.get(server),
    all: () => [...backends.values()],
    stop: async (server) => {
      const backend = backends.get(server)
      if (backend === undefined) return false
      stopped.add(server)
      await backend.relay.upstream.stop()
      backend.listsChanged()
      return true
    },
    restart: async (server) => {
      const backend = backends.get(server)
      if (backend === undefined) return false
      stopped.delete(server)
      await backend.relay.upstream.restart()
      backend.listsChanged()
      return true
    },
    isStopped: (server) => stopped.has(server),
    replace: (servers) => {
      const before = backends
      backends = new Map(servers.map((server) => [server.id, unchanged(before.get(server.id), server) ?? open(server)]))
      const kept = new Set(backends.values())
      const gone = [...before.values()].filter((backend) => !kept.has(backend))
      return endOf(gone)
    },
    close: async () => {
      visibility.stop()
      context.inputs.close()
      context.taskStates.close()
      await Promise.all([...backends.values()].map((backend) => backend.close()))
    },
  }
}

/** A server that is started as before keeps its connections. */
function unchanged(backend: ServerBackend | undefined, server: GatewayServer): ServerBackend | undefined {
  return backend !== undefined && isDeepStrictEqual(backend.relay.server, server) ? backend : undefined
}

function contextOf(options: GatewayOptions, visibility: RelayContext["visibility"]): RelayContext {
  const { gate, sealer, tasks, now, inbox, log = () => {} } = options
  const times = { ...defaultTimes, ...options.times }
  return {
    gate,
    sealer,
    tasks,
    now,
    inbox,
    // Asked each time: the configuration may take it back while we run.
    get decideInClient() {
      return options.decideInClient ?? false
    },
    unknownParams: options.unknownParams ?? (() => "refuse"),
    rulesResources: options.rulesResources ?? (() => true),
    log,
    seen: seeCallers(options.onCaller),
    visibility,
    ...(options.word === undefined ? {} : { word: options.word }),
    times,
    audiences: new Map(),
    withdrawn: new Set(),
    attended: new Set(),
    inputs: createTaskInputs(times.parkedMs),
    taskStates: createTaskStates({ gate, tasks, now, pause: setTimeout }),
  }
}
