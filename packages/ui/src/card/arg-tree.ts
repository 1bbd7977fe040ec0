import type { ApprovalView } from "@byleave/api"
import { isRawNumber, type JsonObject, type JsonValue, looksSecret, pointerTo, readStoredJson } from "@byleave/core"

export type RiskView = ApprovalView["risks"][number]

export type ArgKind = "text" | "number" | "yes or no" | "nothing" | "list" | "object"

/** One value among a call's arguments, with everything that stands within it. */
export type ArgNode = {
  /** A JSON pointer: its place, and its name among all others. */
  readonly pointer: string
  /** As its object calls it; of an element of a list, its number from 1. */
  readonly name: string
  readonly isElement: boolean
  readonly kind: ArgKind
  readonly value: JsonValue
  /** To be masked until somebody wants to see it. */
  readonly isSecret: boolean
  readonly risks: readonly RiskView[]
  readonly inner: readonly ArgNode[]
}

/** The arguments that would run, with numbers as they were written; null once retention has removed them. */
export function argsThatRun(approval: ApprovalView): JsonObject | null {
  return approval.runDigest === approval.callDigest
    ? exactArgs(approval.args, approval.argsText)
    : exactArgs(approval.editedArgs, approval.editedArgsText)
}

/** With numbers as they were written: `text` is given where a JSON reader would have rounded one. */
export function exactArgs(args: JsonObject | null, text: string | null): JsonObject | null {
  return text === null ? args : (readStoredJson(text) as JsonObject)
}

/** The arguments as a tree, each risk at the value it names. */
export function argTree(args: JsonObject, risks: readonly RiskView[]): readonly ArgNode[] {
  const risksByKey = Map.groupBy(risks, ({ key }) => key)
  return membersOf(args, { pointer: "", segments: [], isSecret: false, risksByKey })
}

/** Any value as a tree, such as a tool's result. */
export function valueTree(value: JsonValue): readonly ArgNode[] {
  const place = { pointer: "", segments: [], isSecret: false, risksByKey: new Map() }
  return [nodeOf(value, { name: "", isElement: false, risks: [] }, place)]
}

type Place = {
  readonly pointer: string
  /** Of the names that lead here. Elements of a list stand under the list's own name, as in risks. */
  readonly segments: readonly string[]
  readonly isSecret: boolean
  readonly risksByKey: ReadonlyMap<string, readonly RiskView[]>
}

function membersOf(object: JsonObject, place: Place): readonly ArgNode[] {
  return Object.entries(object).map(([name, value]) => {
    const segments = [...place.segments, name]
    const risks = place.risksByKey.get(dottedKey(segments)) ?? []
    // What stands within something called a secret is one, whatever it is called itself.
    const isSecret = place.isSecret || isSecretName(name)
    return nodeOf(value, { name, isElement: false, risks }, { ...place, ...within(place, name), segments, isSecret })
  })
}

function elementsOf(list: readonly JsonValue[], place: Place): readonly ArgNode[] {
  return list.map((value, at) =>
    nodeOf(value, { name: `${at + 1}`, isElement: true, risks: [] }, { ...place, ...within(place, `${at}`) }),
  )
}

function nodeOf(value: JsonValue, named: Pick<ArgNode, "name" | "isElement" | "risks">, place: Place): ArgNode {
  const { pointer, segments } = place
  const kind = kindOf(value)
  const text = scalarText(value)
  const isSecret =
    text !== null && text !== "" && !leftOut.test(text) && (place.isSecret || looksSecret(segments.at(-1) ?? "", text))
  return { ...named, pointer, kind, value, isSecret, inner: innerOf(value, kind, place) }
}

/** As records say that a secret was not even kept. */
const leftOut = /^‹secret, \d+ characters?›$/

function innerOf(value: JsonValue, kind: ArgKind, place: Place): readonly ArgNode[] {
  if (kind === "list") return elementsOf(value as readonly JsonValue[], place)
  return kind === "object" ? membersOf(value as JsonObject, place) : []
}

export function kindOf(value: JsonValue): ArgKind {
  if (value === null) return "nothing"
  if (typeof value === "string") return "text"
  if (typeof value === "boolean") return "yes or no"
  if (typeof value === "number" || isRawNumber(value)) return "number"
  return Array.isArray(value) ? "list" : "object"
}

/** A text or number as it was written; null for everything else, which nobody keeps secrets in. */
function scalarText(value: JsonValue): string | null {
  if (typeof value === "string") return value
  if (typeof value === "number") return String(value)
  return isRawNumber(value) ? value.rawJSON : null
}

/** What a value that holds no others looks like. */
export function shownScalar(value: JsonValue): string {
  return scalarText(value) ?? String(value)
}

function isSecretName(name: string): boolean {
  return looksSecret(name, "x")
}

function within(place: Place, name: string): { readonly pointer: string } {
  return { pointer: pointerTo(place.pointer, name) }
}

/** As risks name an argument. */
function dottedKey(segments: readonly string[]): string {
  return segments.map((segment) => segment.replace(/[\\.]/g, "\\$&")).join(".")
}

/** Every value to be masked, in the order they are shown. */
export function secretsIn(nodes: readonly ArgNode[]): readonly ArgNode[] {
  return nodes.flatMap((node) => (node.isSecret ? [node] : secretsIn(node.inner)))
}
