import type { Grant } from "../approval/grant.ts"
import type { Pin } from "../approval/pin.ts"
import { pinState } from "../approval/pins.ts"
import type { SessionRecord } from "../approval/session-record.ts"
import { type EpochMs, sessionKey, type ToolRef, toolKey } from "../call/call.ts"
import { fingerprint } from "../call/fingerprint.ts"
import type { Hasher } from "../call/hasher.ts"
import type { PinDepth, SchemaValidator, ToolDefinition } from "../call/tool-definition.ts"
import { type CompiledPolicy, compilePolicy } from "../policy/compile-policy.ts"
import type { PinState, ToolFacts } from "../policy/decision.ts"
import { type GrantIndex, indexGrants } from "../policy/index-grants.ts"
import type { Policy, ServerPolicy } from "../policy/rule.ts"
import { toolFacts } from "../policy/tool-facts.ts"
import type { DecisionState, Store } from "./store.ts"

/** What decisions rest on at one epoch: grants, pins and sessions from the store, definitions from the servers. */
export type Standing = {
  readonly epoch: number
  readonly policy: Policy
  readonly compiled: CompiledPolicy
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
  readonly see: (server: string, tools: readonly ToolDefinition[], at: EpochMs) => void
  /** These rules hold once `commit` has made it so; whoever judges meanwhile waits for them. */
  readonly replacePolicy: (policy: Policy, commit: () => Promise<unknown>) => Promise<void>
  readonly stop: () => void
}

export type StandingPorts = {
  readonly store: Pick<Store, "decisionState" | "subscribe">
  readonly hasher: Hasher
  readonly validator?: SchemaValidator
  readonly realPath?: (path: string) => string | null
  readonly caseInsensitivePaths?: boolean
}

type Rules = { readonly policy: Policy; readonly compiled: CompiledPolicy }
type Listing = { readonly at: EpochMs; readonly tools: ReadonlyMap<string, ToolDefinition> }
type Catalogue = Map<string, Listing>

/** Tools agents name are looked up by name; so many answers are kept, and no more. */
const mostKnown = 10_000

/** Keeps the newest standing. A stale one does no harm: every judgement is committed with its epoch. */
export function createStandings(policy: Policy, ports: StandingPorts): Standings {
  let rules = rulesOf(policy, ports)
  let cached: Promise<Standing> | null = null
  let replacing: Promise<void> | null = null
  const catalogue: Catalogue = new Map()
  const forget = (): void => {
    cached = null
  }
  const stop = ports.store.subscribe((event) => {
    if (!event.type.startsWith("approval.")) forget()
  })
  const read = async (): Promise<Standing> => {
    while (replacing !== null) await replacing
    const held = rules
    const state = await ports.store.decisionState()
    // Rules replaced while the state was read belong to another epoch.
    return held === rules ? standingOf(state, held, catalogue, ports) : read()
  }
  return {
    current: () => {
      if (cached !== null) return cached
      const reading = read()
      cached = reading
      reading.catch(() => {
        if (cached === reading) forget()
      })
      return reading
    },
    forget,
    see: (server, tools, at) => {
      catalogue.set(server, { at, tools: new Map(tools.map((tool) => [tool.name, tool])) })
      forget()
    },
    replacePolicy: async (next, commit) => {
      while (replacing !== null) await replacing
      const compiled = rulesOf(next, ports)
      replacing = commit()
        .then(() => {
          rules = compiled
        })
        .finally(() => {
          replacing = null
          forget()
        })
      forget()
      await replacing
    },
    stop,
  }
}

function rulesOf(policy: Policy, { realPath, caseInsensitivePaths }: StandingPorts): Rules {
  const ports = {
    ...(realPath === undefined ? {} : { realPath }),
    ...(caseInsensitivePaths === undefined ? {} : { caseInsensitivePaths }),
  }
  return { policy, compiled: compilePolicy(policy, ports) }
}

function standingOf(state: DecisionState, rules: Rules, catalogue: Catalogue, ports: StandingPorts): Standing {
  const { policy } = rules
  const pins = pinsByServer(state.pins)
  const sessions = new Map(state.sessions.map((session) => [sessionKey(session), session]))
  const servers = new Map(policy.servers.map((server) => [server.id, server]))
  const known = new Map<string, ToolFacts | undefined>()
  // Asked several times in a row of each call.
  let last: { readonly tool: ToolRef; readonly facts: ToolFacts | undefined } | null = null
  const facts = (tool: ToolRef): ToolFacts | undefined => {
    if (last?.tool === tool) return last.facts
    last = { tool, facts: lookUp(tool) }
    return last.facts
  }
  const lookUp = (tool: ToolRef): ToolFacts | undefined => {
    const key = toolKey(tool)
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found
    if (known.size >= mostKnown) known.clear()
    const described = factsOf(tool)
    known.set(key, described)
    return described
  }
  const factsOf = (tool: ToolRef): ToolFacts | undefined => {
    const serverPins = pins.get(tool.server) ?? []
    const pin = serverPins.find((candidate) => candidate.tool === tool.tool)
    const listing = catalogue.get(tool.server)
    const definition = newestDefinition(pin, listing, tool.tool)
    if (definition === null && serverPins.length === 0 && listing === undefined) return undefined
    return describeTool(tool, definition, { server: servers.get(tool.server), pin }, policy, ports)
  }
  return {
    epoch: state.epoch,
    ...rules,
    grants: state.grants,
    grantIndex: indexGrants(state.grants),
    pinsOf: (server) => pins.get(server) ?? [],
    session: (key) => sessions.get(key),
    facts,
    *factsOfServer(server) {
      const listed = catalogue.get(server)?.tools.keys() ?? []
      const names = new Set([...listed, ...(pins.get(server) ?? []).map((pin) => pin.tool)])
      for (const tool of names) {
        const described = facts({ server, tool })
        if (described !== undefined) yield [tool, described]
      }
    },
  }
}

/** What a server said last of a tool, here or to another gate that has seen it change since. */
function newestDefinition(pin: Pin | undefined, listing: Listing | undefined, tool: string): ToolDefinition | null {
  const listed = listing?.tools.get(tool)
  const proposed = pin?.proposed ?? null
  if (proposed !== null && (listing === undefined || listing.at <= proposed.seenAt)) return proposed.definition
  return listed ?? proposed?.definition ?? pin?.accepted?.definition ?? null
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

type PinView = { readonly server: ServerPolicy | undefined; readonly pin: Pin | undefined }

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
    pin: pinOf(view, print, depth),
    fingerprint: print,
    ...(ports.validator === undefined ? {} : { validator: ports.validator }),
  })
}

/** As long as something is proposed, at whichever gate, nothing old is accepted. */
function pinOf({ pin }: PinView, print: string, depth: PinDepth): PinState {
  const state = pinState(pin, print, depth)
  return state === "accepted" && pin?.proposed ? "changed" : state
}
