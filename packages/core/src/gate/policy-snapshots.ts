import type { Grant } from "../approval/grants/grant.ts"
import { isAccepted, type Pin, type ProposedDefinition, programPin } from "../approval/pins/pin.ts"
import { answerBefore, pinState } from "../approval/pins/pins.ts"
import type { SessionRecord } from "../approval/usage/session-record.ts"
import type { GroupsNow } from "../approval/votes.ts"
import { type EpochMs, type ListedTool, sessionKey, type ToolRef, toolKey } from "../call/call.ts"
import { fingerprint } from "../call/definition/fingerprint.ts"
import type { PinDepth, SchemaValidator, ToolDefinition } from "../call/definition/tool-definition.ts"
import type { Hasher } from "../call/hasher.ts"
import type { FindPlaces } from "../policy/conditions/path-lookup.ts"
import { type CompiledPolicy, compilePolicy } from "../policy/decide/compile-policy.ts"
import type { PinState, ToolFacts } from "../policy/decide/decision.ts"
import { type GrantIndex, indexGrants } from "../policy/decide/index-grants.ts"
import type { Policy, ServerPolicy } from "../policy/rules/rule.ts"
import { toolFacts } from "../policy/rules/tool-facts.ts"
import { decisionScope } from "./decision-events.ts"
import { groupsAmong, type ReviewersNow, readReviewers } from "./reviewers-now.ts"
import { type CredentialUse, isRevokedUse, type Revocations, readRevocations } from "./revocations.ts"
import type { DecisionState, Store } from "./store.ts"

/** The basis of decisions at one epoch: grants, pins and sessions from the store, definitions from the servers. */
export type PolicySnapshot = {
  readonly epoch: number
  readonly policy: Policy
  readonly compiled: CompiledPolicy
  readonly grants: readonly Grant[]
  readonly grantIndex: GrantIndex
  readonly pinsOf: (server: string) => readonly Pin[]
  readonly session: (key: string) => SessionRecord | undefined
  /** Whether a session refuses any tool; mostly none does, and nobody need look for it. */
  readonly refusesTools: boolean
  /** Whether the credential that a call was made with was revoked since. */
  readonly isRevoked: (use: CredentialUse) => boolean
  readonly groupsNow: GroupsNow
  /** A reviewer has put the server as a whole in quarantine. */
  readonly isQuarantined: (server: string) => boolean
  /** `listed`: what the caller's own connection says. Undefined: nothing is known of this tool or its server. */
  readonly facts: (tool: ToolRef, listed?: ListedTool) => ToolFacts | undefined
  /** True if the server's program is not the accepted one: that of the caller's own connection, or, unless that is known, one seen since. */
  readonly isOtherProgram: (server: string, listed?: ListedTool) => boolean
  readonly factsOfServer: (server: string) => Iterable<readonly [string, ToolFacts]>
}

export type PolicySnapshots = {
  /** A promise only where it must be read first. */
  readonly current: () => PolicySnapshot | Promise<PolicySnapshot>
  /** Something has moved on: read again before the next judgement. */
  readonly forget: () => void
  readonly see: (server: string, tools: readonly ToolDefinition[], at: EpochMs) => void
  /** These rules hold once `commit` has made it so; judgements meanwhile wait for them. */
  readonly replacePolicy: (policy: Policy, commit: () => Promise<unknown>) => Promise<void>
  readonly stop: () => void
}

export type SnapshotPorts = {
  readonly store: Pick<Store, "decisionState" | "documents" | "subscribe">
  readonly hasher: Hasher
  readonly validator?: SchemaValidator
  readonly realPaths?: () => FindPlaces
  readonly caseInsensitivePaths?: boolean
  readonly forAll?: <Result>(read: () => Result) => Result
}

type Rules = { readonly policy: Policy; readonly compiled: CompiledPolicy }
type Listing = { readonly at: EpochMs; readonly tools: ReadonlyMap<string, ToolDefinition> }
type Catalogue = Map<string, Listing>

/** Tools agents name are looked up by name; so many answers are kept, and no more. */
const mostKnown = 10_000

/** Keeps the newest snapshot. A stale one does no harm: every judgement is committed with its epoch. */
export function createPolicySnapshots(policy: Policy, ports: SnapshotPorts): PolicySnapshots {
  let rules = rulesOf(policy, ports)
  let cached: PolicySnapshot | Promise<PolicySnapshot> | null = null
  let replacing: Promise<void> | null = null
  const catalogue: Catalogue = new Map()
  const { forAll = (work) => work() } = ports
  const forget = (): void => {
    cached = null
  }
  const stop = ports.store.subscribe((event) => {
    if (decisionScope(event) !== null) forget()
  })
  const read = async (): Promise<PolicySnapshot> => {
    while (replacing !== null) await replacing
    const held = rules
    const state = await ports.store.decisionState()
    // After the state: none that moved its epoch is missed.
    const revocations = await readRevocations(ports.store)
    const people = await readReviewers(ports.store)
    // Rules replaced while the state was read belong to another epoch.
    return held === rules ? snapshotOf({ ...state, revocations, people }, held, catalogue, ports) : read()
  }
  return {
    current: () => {
      if (cached !== null) return cached
      const reading = forAll(read)
      cached = reading
      reading.then(
        (snapshot) => {
          if (cached === reading) cached = snapshot
        },
        () => {
          if (cached === reading) forget()
        },
      )
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
      let replaced = (): void => {}
      // Before it is committed: a judgement that its event triggers waits for the new rules.
      replacing = new Promise((resolve) => {
        replaced = resolve
      })
      forget()
      try {
        await commit()
        rules = compiled
      } finally {
        replacing = null
        forget()
        replaced()
      }
    },
    stop,
  }
}

function rulesOf(policy: Policy, { realPaths, caseInsensitivePaths }: SnapshotPorts): Rules {
  const ports = {
    ...(realPaths === undefined ? {} : { realPaths }),
    ...(caseInsensitivePaths === undefined ? {} : { caseInsensitivePaths }),
  }
  return { policy, compiled: compilePolicy(policy, ports) }
}

/** The facts of a tool's definition, and the program that listed it. */
type KnownFacts = { readonly tool: ToolRef; readonly program: string | null; readonly facts: ToolFacts | undefined }

function isSameTool(one: ToolRef, other: ToolRef): boolean {
  return one.server === other.server && one.tool === other.tool
}

/** The stored basis of decisions. What is added to it needs an event that has a `DecisionScope`. */
export type DecisionBasis = DecisionState & { readonly revocations: Revocations; readonly people: ReviewersNow }

function snapshotOf(state: DecisionBasis, rules: Rules, catalogue: Catalogue, ports: SnapshotPorts): PolicySnapshot {
  const { policy } = rules
  const pins = pinsByServer(state.pins)
  const sessions = new Map(state.sessions.map((session) => [sessionKey(session), session]))
  const servers = new Map(policy.servers.map((server) => [server.id, server]))
  const known = new Map<string, ToolFacts | undefined>()
  // Asked several times in a row of each call.
  let last: {
    readonly tool: ToolRef
    readonly listed: ListedTool | undefined
    readonly facts: ToolFacts | undefined
  } | null = null
  const facts = (tool: ToolRef, listed?: ListedTool): ToolFacts | undefined => {
    if (last?.tool === tool && last.listed === listed) return last.facts
    const found = listed === undefined ? lookUp(tool) : asListed(tool, listed)
    last = { tool, listed, facts: found }
    return found
  }
  // A connection lists each definition once and calls it often.
  const knownAsListed = new WeakMap<ToolDefinition, KnownFacts>()
  const asListed = (tool: ToolRef, listed: ListedTool): ToolFacts | undefined => {
    if (listed.definition === undefined) return factsOf(tool, listed)
    const program = listed.program === undefined ? null : programPrint(tool.server, listed.program)
    const found = knownAsListed.get(listed.definition)
    if (found !== undefined && found.program === program && isSameTool(found.tool, tool)) return found.facts
    const described = factsOf(tool, listed)
    knownAsListed.set(listed.definition, { tool, program, facts: described })
    return described
  }
  const programPrints = new WeakMap<ToolDefinition, string>()
  const programPrint = (server: string, program: ToolDefinition): string => {
    const found = programPrints.get(program)
    if (found !== undefined) return found
    const print = fingerprint(program, servers.get(server)?.pin ?? "full", ports.hasher)
    programPrints.set(program, print)
    return print
  }
  /** Another program than those accepted: the caller's, or where that is not known, one that was seen since, here or elsewhere. */
  const movedTo = (server: string, program: ToolDefinition | undefined): ProposedDefinition | null => {
    const pin = pins.get(server)?.program
    if (pin === undefined) return null
    if (program === undefined) return pin.proposed
    const print = programPrint(server, program)
    if (isAccepted(pin, print)) return null
    if (pin.proposed?.fingerprint === print) return pin.proposed
    return { definition: program, fingerprint: print, seenAt: 0, ...answerBefore(pin, print) }
  }
  const lookUp = (tool: ToolRef): ToolFacts | undefined => {
    const key = toolKey(tool)
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found
    if (known.size >= mostKnown) known.clear()
    const described = factsOf(tool, {})
    known.set(key, described)
    return described
  }
  const factsOf = (tool: ToolRef, listed: ListedTool): ToolFacts | undefined => {
    const serverPins = pins.get(tool.server) ?? noPins
    const pin = serverPins.byTool.get(tool.tool)
    const listing = catalogue.get(tool.server)
    const definition = listed.definition ?? newestDefinition(pin, listing, tool.tool)
    const moved = movedTo(tool.server, listed.program)
    // A server that is known by its accepted program alone may have any tool.
    const isUnknown = moved === null && listing === undefined && serverPins.all.every(({ tool }) => tool === programPin)
    if (definition === null && isUnknown) return undefined
    const view = { server: servers.get(tool.server), pin, moved, isQuarantined: isQuarantined(tool.server) }
    return describeTool(tool, definition, view, policy, ports)
  }
  const quarantined = new Set(
    state.pins.filter((pin) => isOfServer(pin) && pin.quarantined !== undefined).map((pin) => pin.server),
  )
  const isQuarantined = (server: string): boolean => quarantined.has(server)
  return {
    epoch: state.epoch,
    ...rules,
    grants: state.grants,
    grantIndex: indexGrants(state.grants),
    pinsOf: (server) => (pins.get(server) ?? noPins).all,
    session: (key) => sessions.get(key),
    refusesTools: state.sessions.some(({ refused }) => refused.length > 0),
    isRevoked: (use) => isRevokedUse(state.revocations, use),
    groupsNow: groupsAmong(state.people, policy),
    isQuarantined,
    isOtherProgram: (server, listed) => movedTo(server, listed?.program) !== null,
    facts,
    *factsOfServer(server) {
      const listed = catalogue.get(server)?.tools.keys() ?? []
      const names = new Set([...listed, ...(pins.get(server) ?? noPins).byTool.keys()])
      for (const tool of names) {
        const described = facts({ server, tool })
        if (described !== undefined) yield [tool, described]
      }
    },
  }
}

/** The server's latest definition of a tool, seen here or by another gate that has seen it change since. */
function newestDefinition(pin: Pin | undefined, listing: Listing | undefined, tool: string): ToolDefinition | null {
  const listed = listing?.tools.get(tool)
  const proposed = pin?.proposed ?? null
  if (proposed !== null && (listing === undefined || listing.at <= proposed.seenAt)) return proposed.definition
  return listed ?? proposed?.definition ?? pin?.accepted?.definition ?? null
}

/** The pins of one server. */
type ServerPins = {
  readonly all: readonly Pin[]
  /** A server may list thousands, and each is looked for. */
  readonly byTool: ReadonlyMap<string, Pin>
  readonly program: Pin | undefined
}

const noPins: ServerPins = { all: [], byTool: new Map(), program: undefined }

function pinsByServer(pins: readonly Pin[]): ReadonlyMap<string, ServerPins> {
  const byServer = new Map<string, Pin[]>()
  for (const pin of pins) {
    const known = byServer.get(pin.server)
    if (known === undefined) byServer.set(pin.server, [pin])
    else known.push(pin)
  }
  return new Map(
    Array.from(byServer, ([server, all]) => {
      const byTool = new Map(all.flatMap((pin) => (pin.of === undefined ? [[pin.tool, pin] as const] : [])))
      return [server, { all, byTool, program: all.find((pin) => pin.tool === programPin) }]
    }),
  )
}

type PinView = {
  readonly server: ServerPolicy | undefined
  readonly pin: Pin | undefined
  /** Another program than the accepted one, which is the server now. */
  readonly moved: ProposedDefinition | null
  readonly isQuarantined: boolean
}

function describeTool(
  tool: ToolRef,
  definition: ToolDefinition | null,
  view: PinView,
  policy: Policy,
  ports: SnapshotPorts,
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

/** As long as a definition is proposed, at any gate, no old one counts as accepted. */
function pinOf({ pin, moved, isQuarantined }: PinView, print: string, depth: PinDepth): PinState {
  if (isQuarantined) return "quarantined"
  const state = pinState(pin, print, depth)
  if (state !== "accepted") return state
  const proposed = pin?.proposed ?? moved
  if (proposed === null) return state
  return proposed.rejected === undefined && moved?.rejected === undefined ? "changed" : "rejected"
}

/** Pins of the server as a whole: what it says, and which program it is. */
function isOfServer({ of, tool }: Pin): boolean {
  return of === "server" || tool === programPin
}
