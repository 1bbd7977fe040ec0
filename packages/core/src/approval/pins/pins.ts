/**
 * The accepted definition of each tool, and the server's current one.
 *
 * I1. A definition becomes accepted at the first sight of its server, or by a reviewer who saw it; never otherwise.
 * I2. What differs from the accepted definition, at the depth in force, is never in state "accepted".
 * I3. Seeing the same tools again puts nothing.
 * I4. A tool that disappears keeps its pin where it was accepted or answered, so that it cannot come back as something else unnoticed.
 * I5. A quarantine ends by a reviewer's word alone, whatever the server says meanwhile and however deep pins go.
 * I6. Of tools that disappeared before anyone answered, so many are kept and so much of their text: one that comes back is as new as it was.
 *
 * I7. A server's program is pinned before anything of it is judged, whether it lists tools or not.
 * I8. A program that was accepted stays so while others are accepted, up to a number, until a reviewer rejects it.
 * I9. A definition that a reviewer rejected stays so when it is listed again, whatever was listed in between and however deep pins go, until one accepts it.
 *
 * The tools of a server count as seen once one of them has a pin. An empty first listing leaves none, so the tools that follow it are
 * first sight: a server that lists nothing until it is ready is not held up, and one that means ill gains nothing by waiting. What another
 * program than the accepted one lists is never first sight.
 */
import type { EpochMs } from "../../call/call.ts"
import { fingerprint } from "../../call/definition/fingerprint.ts"
import type { PinDepth, ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { Hasher } from "../../call/hasher.ts"
import type { PinState } from "../../policy/decide/decision.ts"
import {
  type AcceptedDefinition,
  isAccepted,
  type Pin,
  type PinAnswer,
  type ProposedDefinition,
  programPin,
  type RejectedDefinition,
} from "./pin.ts"

export type Observation = {
  readonly server: string
  readonly tools: readonly ToolDefinition[]
  readonly pins: readonly Pin[]
  readonly depth: PinDepth
  readonly at: EpochMs
  readonly hasher: Hasher
}

/** `pinned`: first sight. `new`: appeared later. `back`: as accepted again. */
export type PinnedChange = { readonly tool: string; readonly kind: "pinned" | "changed" | "new" | "back" }

/** `removed`: names of tools whose pins go. */
export type Observed = {
  readonly puts: readonly Pin[]
  readonly removed: readonly string[]
  readonly changes: readonly PinnedChange[]
}

/** Of a server's tools that are gone and were never answered; characters of their definitions, written as JSON. */
const keptGone = { tools: 200, characters: 1_000_000 }

/** Of a server's programs; people start the same server in many projects. */
const mostPrograms = 32

/** Of one tool; the newest are kept. */
const mostRejected = 32

/** Those that tell definitions apart. */
const pinnedDepths = ["full", "schema"] as const satisfies readonly PinDepth[]

/** Returns the changes to a server's pins that follow from its tool list. */
export function observeTools(seen: Observation): Observed {
  if (seen.depth === "off") return { puts: [], removed: [], changes: [] }
  const known = seen.pins.filter((pin) => pin.of === undefined)
  const knowsNoTool = known.every((pin) => pin.tool === programPin)
  const pins = new Map(known.map((pin) => [pin.tool, pin]))
  const programWaits = (): boolean => (pins.get(programPin)?.proposed ?? null) !== null
  const puts = new Map<string, Pin>()
  const changes: PinnedChange[] = []
  for (const definition of seen.tools) {
    const pin = pins.get(definition.name)
    const isFirstSight = knowsNoTool && !programWaits()
    const sight = pin === undefined ? firstSight(definition, seen, isFirstSight) : seenAgain(pin, definition, seen)
    if (sight.pin === pin) continue
    pins.set(definition.name, sight.pin)
    puts.set(definition.name, sight.pin)
    if (sight.kind !== null) changes.push({ tool: definition.name, kind: sight.kind })
  }
  return { puts: [...puts.values()], removed: goneTooMany(known, seen.tools), changes }
}

/** The newest are kept. */
function goneTooMany(known: readonly Pin[], tools: readonly ToolDefinition[]): readonly string[] {
  const listed = new Set(tools.map(({ name }) => name))
  const gone = known.filter((pin) => isUnanswered(pin) && !listed.has(pin.tool))
  let characters = 0
  return gone
    .toSorted((one, other) => (other.proposed?.seenAt ?? 0) - (one.proposed?.seenAt ?? 0))
    .filter((pin, at) => {
      characters += JSON.stringify(pin.proposed).length
      return at >= keptGone.tools || characters > keptGone.characters
    })
    .map(({ tool }) => tool)
}

function isUnanswered({ tool, accepted, proposed, rejectedBefore, quarantined }: Pin): boolean {
  const isRejected = proposed?.rejected !== undefined || rejectedBefore !== undefined
  return accepted === null && !isRejected && quarantined === undefined && tool !== programPin
}

/** The change to the pin of a server's program that follows from a request of this one; null: it is known, accepted or not. */
export function observeProgram(program: ToolDefinition, seen: Sighting): Sight | null {
  if (seen.depth === "off") return null
  const ofTools = seen.pins.filter((pin) => pin.of === undefined)
  const known = ofTools.find((pin) => pin.tool === programPin)
  if (known === undefined) return firstSight(program, seen, ofTools.length === 0)
  // One that comes back withdraws no other: people can still answer that.
  const sight = seenAgain(known, program, seen)
  return sight.kind === null || sight.kind === "back" ? null : sight
}

/** A server's instructions, which every agent receives when it connects, as the definition that the server's own pin keeps. */
export function instructionsDefinition(instructions: string | undefined): ToolDefinition {
  return { name: "", ...(instructions === undefined ? {} : { instructions }) }
}

/** The change to a server's own pin that follows from its instructions; null: none. Instructions are text, so a pin of schemas does not cover them. */
export function observeInstructions(
  instructions: string | undefined,
  seen: Omit<Observation, "tools">,
): { readonly pin: Pin; readonly kind: PinnedChange["kind"] } | null {
  if (seen.depth !== "full") return null
  const known = seen.pins.find((pin) => pin.of === "server")
  const definition = instructionsDefinition(instructions)
  const isFirst = known === undefined || (known.accepted === null && known.proposed === null)
  const sight = isFirst ? firstSight(definition, seen, true) : seenAgain(known, definition, seen)
  if (sight.kind === null) return null
  return { pin: { ...known, ...sight.pin, of: "server" }, kind: sight.kind }
}

type Sighting = Omit<Observation, "tools">
type Sight = { readonly pin: Pin; readonly kind: PinnedChange["kind"] | null }

function firstSight(definition: ToolDefinition, seen: Sighting, isFirstSight: boolean): Sight {
  const print = fingerprint(definition, seen.depth, seen.hasher)
  const pin = { server: seen.server, tool: definition.name }
  if (isFirstSight) {
    return {
      pin: { ...pin, accepted: { definition, fingerprint: print, at: seen.at, by: null }, proposed: null },
      kind: "pinned",
    }
  }
  return {
    pin: { ...pin, accepted: null, proposed: { definition, fingerprint: print, seenAt: seen.at } },
    kind: "new",
  }
}

function seenAgain(known: Pin, definition: ToolDefinition, seen: Sighting): Sight {
  const print = fingerprint(definition, seen.depth, seen.hasher)
  const pin = isAccepted(known, print) ? known : atDepth(known, seen)
  if (isAccepted(pin, print)) {
    return pin.proposed === null
      ? { pin, kind: null }
      : { pin: { ...rememberingNo(pin, seen.hasher), proposed: null }, kind: "back" }
  }
  if (pin.proposed?.fingerprint === print) return { pin, kind: null }
  const proposed = { definition, fingerprint: print, seenAt: seen.at, ...answerBefore(pin, print) }
  return { pin: { ...rememberingNo(pin, seen.hasher), proposed }, kind: pin.accepted === null ? "new" : "changed" }
}

/** The no to this definition, which was replaced by another one since. */
export function answerBefore({ rejectedBefore }: Pin, print: string): Pick<ProposedDefinition, "rejected"> {
  const found = rejectedBefore?.find((each) => isOf(each, print))
  return found === undefined ? {} : { rejected: { at: found.at, by: found.by } }
}

/** As it is kept once its proposed definition is listed no more. */
function rememberingNo(pin: Pin, hasher: Hasher): Pin {
  const { proposed, rejectedBefore = [] } = pin
  if (proposed?.rejected === undefined) return pin
  const { definition, fingerprint: print, rejected } = proposed
  const others = pinnedDepths.map((depth) => fingerprint(definition, depth, hasher)).filter((each) => each !== print)
  const rest = rejectedBefore.filter((each) => !isOf(each, print))
  return { ...pin, rejectedBefore: [{ fingerprint: print, others, ...rejected }, ...rest].slice(0, mostRejected) }
}

function withoutNo({ rejectedBefore = [], ...pin }: Pin, print: string): Pin {
  const others = rejectedBefore.filter((each) => !isOf(each, print))
  return others.length > 0 ? { ...pin, rejectedBefore: others } : pin
}

/** Whatever the depth was when it was rejected. */
function isOf({ fingerprint: print, others = [] }: RejectedDefinition, asked: string): boolean {
  return print === asked || others.includes(asked)
}

/** The depth may have been set otherwise since: what was accepted stays accepted, seen at the depth in force. */
function atDepth(pin: Pin, { depth, hasher }: Sighting): Pin {
  const accepted = pin.accepted && atDepthNow(pin.accepted, depth, hasher)
  const proposed = pin.proposed && atDepthNow(pin.proposed, depth, hasher)
  const also = pin.alsoAccepted?.map((each) => atDepthNow(each, depth, hasher))
  const isAsBefore = also === undefined || also.every((each, at) => each === pin.alsoAccepted?.[at])
  if (accepted === pin.accepted && proposed === pin.proposed && isAsBefore) return pin
  return { ...pin, accepted, ...(also && { alsoAccepted: also }), proposed }
}

function atDepthNow<Seen extends { readonly definition: ToolDefinition; readonly fingerprint: string }>(
  seen: Seen,
  depth: PinDepth,
  hasher: Hasher,
): Seen {
  const print = fingerprint(seen.definition, depth, hasher)
  return print === seen.fingerprint ? seen : { ...seen, fingerprint: print }
}

/** Whether the definition with this fingerprint is the accepted one. A tool without a pin is new: nobody has accepted it. */
export function pinState(pin: Pin | undefined, print: string, depth: PinDepth): PinState {
  if (pin?.quarantined !== undefined) return "quarantined"
  if (depth === "off") return "unpinned"
  if (pin !== undefined && isAccepted(pin, print)) return "accepted"
  if (pin?.proposed?.rejected !== undefined && pin.proposed.fingerprint === print) return "rejected"
  if (pin !== undefined && answerBefore(pin, print).rejected !== undefined) return "rejected"
  return pin === undefined || pin.accepted === null ? "new" : "changed"
}

export type PinVerdict =
  | { readonly ok: true; readonly pin: Pin }
  /** Not what stands to be answered: it changed again after the reviewer looked, or nothing is proposed. */
  | { readonly ok: false; readonly refusal: { readonly code: "not-proposed"; readonly proposed: string | null } }

/** A reviewer accepts the definition they saw, named by its fingerprint. Accepting what is accepted changes nothing. */
export function acceptDefinition(pin: Pin, print: string, by: string, at: EpochMs): PinVerdict {
  const { accepted, proposed } = pin
  if (proposed?.fingerprint === print) {
    const { definition } = proposed
    const before = pin.tool === programPin ? [accepted ?? [], pin.alsoAccepted ?? []].flat() : []
    return {
      ok: true,
      pin: {
        ...withAccepted(withoutNo(pin, print), [{ definition, fingerprint: print, at, by }, ...before]),
        proposed: null,
      },
    }
  }
  if (proposed === null && isAccepted(pin, print)) return { ok: true, pin }
  return notProposed(pin)
}

/** Pins without a list of more are as those before there was one. */
function withAccepted({ alsoAccepted: _, ...pin }: Pin, all: readonly AcceptedDefinition[]): Pin {
  const [accepted = null, ...also] = all.slice(0, mostPrograms)
  return { ...pin, accepted, ...(also.length > 0 && { alsoAccepted: also }) }
}

/** A reviewer says no to the definition they saw, or no longer yes to a program. It stays proposed: another look may still accept it. */
export function rejectDefinition(pin: Pin, print: string, by: string, at: EpochMs): PinVerdict {
  const { proposed } = pin
  if (proposed === null && pin.tool === programPin) return withdrawProgram(pin, print, { by, at })
  if (proposed?.fingerprint !== print) return notProposed(pin)
  if (proposed.rejected !== undefined) return { ok: true, pin }
  return { ok: true, pin: { ...pin, proposed: { ...proposed, rejected: { at, by } } } }
}

function withdrawProgram(pin: Pin, print: string, rejected: PinAnswer): PinVerdict {
  const all = [pin.accepted ?? [], pin.alsoAccepted ?? []].flat()
  const withdrawn = all.find((each) => each.fingerprint === print)
  if (withdrawn === undefined) return notProposed(pin)
  const rest = withAccepted(
    pin,
    all.filter((each) => each !== withdrawn),
  )
  const { definition } = withdrawn
  return { ok: true, pin: { ...rest, proposed: { definition, fingerprint: print, seenAt: rejected.at, rejected } } }
}

function notProposed({ proposed }: Pin): PinVerdict {
  return { ok: false, refusal: { code: "not-proposed", proposed: proposed?.fingerprint ?? null } }
}

/** `answer` null lifts the quarantine. */
export function withQuarantine({ quarantined: _, ...pin }: Pin, answer: PinAnswer | null): Pin {
  return answer === null ? pin : { ...pin, quarantined: answer }
}
