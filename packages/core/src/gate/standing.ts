import type { Grant } from "../approval/grant.ts"
import type { Pin } from "../approval/pin.ts"
import { pinState } from "../approval/pins.ts"
import type { SessionRecord } from "../approval/session-record.ts"
import { sessionKey, type ToolRef, toolName } from "../call/call.ts"
import { fingerprint } from "../call/fingerprint.ts"
import type { Hasher } from "../call/hasher.ts"
import type { SchemaValidator, ToolDefinition } from "../call/tool-definition.ts"
import type { PinState, ToolFacts } from "../policy/decision.ts"
import { type GrantIndex, indexGrants } from "../policy/index-grants.ts"
import type { Policy, ServerPolicy } from "../policy/rule.ts"
import { toolFacts } from "../policy/tool-facts.ts"
import type { DecisionState, Store } from "./store.ts"

/** What decisions rest on at one epoch: grants, pins and sessions from the store, definitions from the servers. */
export type Standing = {
  readonly epoch: number
  readonly grants: readonly Grant[]
  readonly grantIndex: GrantIndex
  readonly pinsOf: (server: string) => readonly Pin[]
  readonly session: (key: string) => SessionRecord | undefined
  /** Undefined: nothing is known of this tool or its server. */
  readonly facts: (tool: ToolRef) => ToolFacts | undefined
  readonly factsOfServer: (server: string) => Iterable<readonly [string, ToolFacts]>
}

export type Standings = {
  readonly current: () => Promise<Standing>
  /** Something has moved on: read again before the next judgement. */
  readonly forget: () => void
  readonly see: (server: string, tools: readonly ToolDefinition[]) => void
  readonly replacePolicy: (policy: Policy) => void
}

export type StandingPorts = {
  readonly store: Pick<Store, "decisionState" | "subscribe">
  readonly hasher: Hasher
  readonly validator?: SchemaValidator
}

type Catalogue = Map<string, Map<string, ToolDefinition>>

/** Keeps the newest standing. A stale one does no harm: every judgement is committed with its epoch. */
export function createStandings(policy: Policy, ports: StandingPorts): Standings {
  let rules = policy
  let cached: Promise<Standing> | null = null
  const catalogue: Catalogue = new Map()
  const forget = (): void => {
    cached = null
  }
  ports.store.subscribe((event) => {
    if (!event.type.startsWith("approval.")) forget()
  })
  return {
    current: () => {
      if (cached !== null) return cached
      const reading = ports.store.decisionState().then((state) => standingOf(state, rules, catalogue, ports))
      cached = reading
      reading.catch(() => {
        if (cached === reading) forget()
      })
      return reading
    },
    forget,
    see: (server, tools) => {
      catalogue.set(server, new Map(tools.map((tool) => [tool.name, tool])))
      forget()
    },
    replacePolicy: (next) => {
      rules = next
      forget()
    },
  }
}

function standingOf(state: DecisionState, policy: Policy, catalogue: Catalogue, ports: StandingPorts): Standing {
  const pins = pinsByServer(state.pins)
  const sessions = new Map(state.sessions.map((session) => [sessionKey(session), session]))
  const servers = new Map(policy.servers.map((server) => [server.id, server]))
  const known = new Map<string, ToolFacts | undefined>()
  const facts = (tool: ToolRef): ToolFacts | undefined => {
    const key = toolName(tool)
    if (!known.has(key)) known.set(key, factsOf(tool))
    return known.get(key)
  }
  const factsOf = (tool: ToolRef): ToolFacts | undefined => {
    const server = servers.get(tool.server)
    const serverPins = pins.get(tool.server) ?? []
    const pin = serverPins.find((candidate) => candidate.tool === tool.tool)
    const listed = catalogue.get(tool.server)?.get(tool.tool)
    const definition = listed ?? pin?.proposed?.definition ?? pin?.accepted?.definition ?? null
    if (definition === null && serverPins.length === 0 && !catalogue.has(tool.server)) return undefined
    return describeTool(tool, definition, { server, pin, pinned: serverPins.length > 0 }, policy, ports)
  }
  return {
    epoch: state.epoch,
    grants: state.grants,
    grantIndex: indexGrants(state.grants),
    pinsOf: (server) => pins.get(server) ?? [],
    session: (key) => sessions.get(key),
    facts,
    *factsOfServer(server) {
      const names = new Set([
        ...(catalogue.get(server)?.keys() ?? []),
        ...(pins.get(server) ?? []).map((pin) => pin.tool),
      ])
      for (const tool of names) {
        const described = facts({ server, tool })
        if (described !== undefined) yield [tool, described]
      }
    },
  }
}

function pinsByServer(all: readonly Pin[]): ReadonlyMap<string, readonly Pin[]> {
  const byServer = new Map<string, Pin[]>()
  for (const pin of all) {
    const known = byServer.get(pin.server)
    if (known === undefined) byServer.set(pin.server, [pin])
    else known.push(pin)
  }
  return byServer
}

type PinView = { readonly server: ServerPolicy | undefined; readonly pin: Pin | undefined; readonly pinned: boolean }

function describeTool(
  tool: ToolRef,
  definition: ToolDefinition | null,
  view: PinView,
  policy: Policy,
  ports: StandingPorts,
): ToolFacts {
  const depth = view.server?.pin ?? "full"
  const print = definition === null ? "" : fingerprint(definition, depth, ports.hasher)
  return toolFacts({
    tool,
    definition,
    server: view.server,
    classify: policy.classify,
    pin: pinOf(view, print),
    fingerprint: print,
    ...(ports.validator === undefined ? {} : { validator: ports.validator }),
  })
}

function pinOf(view: PinView, print: string): PinState {
  const depth = view.server?.pin ?? "full"
  if (depth === "off") return "unpinned"
  if (view.pin === undefined) return view.pinned || print === "" ? "new" : "accepted"
  return pinState(view.pin, print, depth)
}
