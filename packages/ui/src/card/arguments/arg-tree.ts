import type { ApprovalView } from "@byleave/api"
import { isMasked, isSecretName, scalarText, shownArguments, shownExtraParams } from "@byleave/api/page"
import { isRawNumber, type JsonObject, type JsonValue, keyOf, pointerTo, textAmongValues } from "@byleave/core"

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

/** The arguments as a tree, each risk at the value it names. */
export function argTree(args: JsonObject, risks: readonly RiskView[]): readonly ArgNode[] {
  const risksByKey = Map.groupBy(risks, ({ key }) => key)
  return membersOf(args, { pointer: "", segments: [], isSecret: false, risksByKey })
}

/** Params beside the arguments, as a tree. Their pointers begin with a word, so that none is an argument's. */
export function extraTree(approval: ApprovalView): readonly ArgNode[] {
  const params = shownExtraParams(approval)
  if (params === null) return []
  return membersOf(params, { pointer: "extra", segments: [], isSecret: false, risksByKey: new Map() })
}

/** Everything that goes to the server: the arguments that would run, and what is sent with them. */
export function sentTree(approval: ApprovalView): readonly ArgNode[] {
  return [...argTree(shownArguments(approval) ?? {}, approval.risks), ...extraTree(approval)]
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
    const risks = place.risksByKey.get(keyOf(segments)) ?? []
    // A value within something called a secret is one, whatever its own name is.
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
  const { pointer } = place
  const kind = kindOf(value)
  const text = scalarText(value)
  // Its name was looked at where its place was made.
  const isSecret = text !== null && isMasked(text, "", place.isSecret)
  return { ...named, pointer, kind, value, isSecret, inner: innerOf(value, kind, place) }
}

function innerOf(value: JsonValue, kind: ArgKind, place: Place): readonly ArgNode[] {
  if (kind === "list") return elementsOf(value as readonly JsonValue[], place)
  return kind === "object" ? membersOf(value as JsonObject, place) : []
}

function kindOf(value: JsonValue): ArgKind {
  if (value === null) return "nothing"
  if (typeof value === "string") return "text"
  if (typeof value === "boolean") return "yes or no"
  if (typeof value === "number" || isRawNumber(value)) return "number"
  return Array.isArray(value) ? "list" : "object"
}

/** The text of a value that holds no others. */
export function shownScalar(value: JsonValue): string {
  return scalarText(value) ?? String(value)
}

/** A value on one line, where no column says of what kind it is. */
export function valueWords(value: JsonValue): string {
  if (typeof value === "string") return textAmongValues(value)
  return typeof value === "object" && value !== null && !isRawNumber(value) ? JSON.stringify(value) : shownScalar(value)
}

function within(place: Place, name: string): { readonly pointer: string } {
  return { pointer: pointerTo(place.pointer, name) }
}

/** The values that are shown nowhere else: each whole where nothing within it is, else part by part. Masked values stand by themselves. */
export function restOf(nodes: readonly ArgNode[], shown: ReadonlySet<string>): readonly ArgNode[] {
  return nodes.flatMap((node) => {
    if (shown.has(node.pointer)) return []
    return node.inner.length > 0 && isSplit(node, shown) ? restOf(node.inner, shown) : [node]
  })
}

function isSplit(node: ArgNode, shown: ReadonlySet<string>): boolean {
  return node.isSecret || shown.has(node.pointer) || node.inner.some((each) => isSplit(each, shown))
}

/** Every value to be masked, in the order they are shown. */
export function secretsIn(nodes: readonly ArgNode[]): readonly ArgNode[] {
  return nodes.flatMap((node) => (node.isSecret ? [node] : secretsIn(node.inner)))
}
