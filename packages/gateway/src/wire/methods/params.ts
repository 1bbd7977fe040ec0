/**
 * Params built anew from the members that are known, each of its type: what reaches a server is what was judged.
 *
 * I1. No member passes that is not named, at any depth where members are named.
 * I2. No member passes that is not of its type.
 * I3. What is left out is told by name.
 */
import { asObject, isRawNumber, type JsonObject, type JsonValue, quoted } from "@byleave/core"
import { withoutEnvelope } from "../envelope.ts"
import { errorCode, rpcError } from "../errors.ts"
import type { RpcError } from "../message.ts"
import { foldedName } from "../names/twin-names.ts"
import type { MethodRow } from "./method-row.ts"
import { isWithin } from "./methods.ts"

/** The allowed shape of a member. `object`: any, since all of it is shown or it only selects an answer. `token`: as JSON-RPC ids are. */
export type ParamShape = {
  readonly is: "text" | "number" | "token" | "object" | ParamShapes
  readonly required?: true
  /** Of a text, in characters. */
  readonly longest?: number
  /** The revisions that have it, where that is not all of its method's. */
  readonly in?: readonly [first: string, last: string]
  /** The treatment in other revisions; absent: they refuse the member as unknown. */
  readonly elsewhere?: "ignored"
}
export type ParamShapes = { readonly [name: string]: ParamShape }

export type BuiltParams =
  | { readonly ok: true; readonly params: JsonObject | undefined; readonly dropped: readonly string[] }
  | { readonly ok: false; readonly error: RpcError }

/** The same object where nothing had to be left out: most params are, and the rest of the way need not copy them. */
export function buildParams(
  row: Pick<MethodRow, "method" | "params">,
  given: JsonObject | undefined,
  revision: string,
  unknown: "refuse" | "drop",
): BuiltParams {
  const shapes = row.params ?? {}
  const params = given === undefined ? {} : given
  const building: Building = { method: row.method, revision, unknown, dropped: [] }
  // The client is known from the caller; a server is told of it in its own era, and never twice.
  const built = buildObject(building, shapes, withoutEnvelope(params) ?? {}, "")
  if ("error" in built) return { ok: false, error: built.error }
  return { ok: true, params: given === undefined ? undefined : built.object, dropped: building.dropped }
}

type Building = {
  readonly method: string
  readonly revision: string
  readonly unknown: "refuse" | "drop"
  readonly dropped: string[]
}

type Built = { readonly object: JsonObject } | { readonly error: RpcError }

function buildObject(building: Building, shapes: ParamShapes, given: JsonObject, path: string): Built {
  let changed: Map<string, JsonValue | undefined> | undefined
  const change = (key: string, value: JsonValue | undefined): void => {
    changed ??= new Map()
    changed.set(key, value)
  }
  for (const key of Object.keys(given)) {
    const value = given[key] as JsonValue
    const shape = shapeOf(building, shapes, key, path)
    if (shape === undefined) {
      if (building.unknown === "refuse") return { error: unknownMember(building, shapes, path, key) }
      building.dropped.push(path + key)
      change(key, undefined)
    } else if (shape === ignored || (value === null && shape.required === undefined)) {
      // Some clients write null for what they leave out.
      change(key, undefined)
    } else {
      const checked = checkValue(building, shape, value, path + key)
      if ("error" in checked) return checked
      if (checked.value !== value) change(key, checked.value)
    }
  }
  const missing = missingMember(shapes, given)
  if (missing !== undefined) return { error: invalid(building, `needs ${quoted(path + missing)}`) }
  return { object: changed === undefined ? given : withChanges(given, changed) }
}

function withChanges(given: JsonObject, changed: ReadonlyMap<string, JsonValue | undefined>): JsonObject {
  const entries = Object.entries(given).flatMap(([key, value]): ReadonlyArray<[string, JsonValue]> => {
    if (!changed.has(key)) return [[key, value]]
    const instead = changed.get(key)
    return instead === undefined ? [] : [[key, instead]]
  })
  return Object.fromEntries(entries)
}

const metaShape: ParamShape = { is: "object" }

function shapeOf(building: Building, shapes: ParamShapes, key: string, path: string): ParamShape | undefined {
  if (path === "" && key === "_meta") return metaShape
  const shape = Object.hasOwn(shapes, key) ? shapes[key] : undefined
  if (shape?.in === undefined || isWithin(shape.in, building.revision)) return shape
  return shape.elsewhere === "ignored" ? ignored : undefined
}

const ignored: ParamShape = { is: "object" }

function missingMember(shapes: ParamShapes, given: JsonObject): string | undefined {
  for (const name in shapes) if (shapes[name]?.required === true && !Object.hasOwn(given, name)) return name
  return undefined
}

type Checked = { readonly value: JsonValue } | { readonly error: RpcError }

function checkValue(building: Building, shape: ParamShape, value: JsonValue, path: string): Checked {
  const { is } = shape
  if (typeof is === "object") {
    const inner = asObject(value)
    if (inner === undefined) return { error: invalid(building, `takes an object as ${quoted(path)}`) }
    const built = buildObject(building, is, inner, `${path}.`)
    return "error" in built ? built : { value: built.object }
  }
  if (typeof value === "string" && shape.longest !== undefined && value.length > shape.longest) {
    return { error: invalid(building, `takes at most ${shape.longest} characters as ${quoted(path)}`) }
  }
  if (isOfType[is](value)) return { value }
  return { error: invalid(building, `takes ${typeWords[is]} as ${quoted(path)}`) }
}

const isOfType = {
  text: (value: JsonValue) => typeof value === "string",
  number: (value: JsonValue) => typeof value === "number" || isRawNumber(value),
  token: (value: JsonValue) => typeof value === "string" || typeof value === "number",
  object: (value: JsonValue) => asObject(value) !== undefined,
} as const

const typeWords = { text: "a text", number: "a number", token: "a text or a number", object: "an object" } as const

function unknownMember(building: Building, shapes: ParamShapes, path: string, key: string): RpcError {
  const meant = Object.keys(shapes).find((name) => foldedName(name) === foldedName(key))
  const hint = meant === undefined || meant === key ? "Leave it out." : `Write ${quoted(path + meant)}.`
  return invalid(building, `does not take ${quoted(path + key)}`, hint)
}

function invalid({ method }: Building, what: string, hint = ""): RpcError {
  const words = `${method} ${what} in its params.`
  return rpcError(errorCode.invalidParams, hint === "" ? words : `${words} ${hint}`)
}
