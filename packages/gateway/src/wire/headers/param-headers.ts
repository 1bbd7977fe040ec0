/**
 * `Mcp-Param-*`: arguments that a tool's schema mirrors into headers (`x-mcp-header`), for whoever routes by them.
 * The body is what counts; headers are made from it, or must agree with it.
 *
 * I1. Headers of a run mirror the arguments that run, and no others.
 * I2. A mirrored header that says something else than the body is refused.
 */
import {
  asObject,
  isRawNumber,
  type JsonObject,
  type JsonValue,
  memberAt,
  objectAt,
  type RawNumber,
} from "@byleave/core"
import { errorCode, rpcError } from "../errors.ts"
import type { RpcError } from "../message.ts"
import { decodeHeaderValue, encodeHeaderValue } from "./header-value.ts"

const prefix = "mcp-param-"

type Mirrored = { readonly header: string; readonly path: readonly string[]; readonly type: string }

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const mirroredTypes = new Set(["string", "integer", "number", "boolean"])
// Deeper than any schema a person writes; what is deeper mirrors nothing.
const greatestDepth = 32

/** By schema: a server chooses how long one is, and agents how often it is called. */
const known = new WeakMap<JsonObject, readonly Mirrored[]>()

/** The arguments a schema mirrors: properties of properties; anything under another keyword cannot be found in a call. */
function mirroredBy(inputSchema: JsonObject): readonly Mirrored[] {
  const before = known.get(inputSchema)
  if (before !== undefined) return before
  const found: Mirrored[] = []
  visit(inputSchema, [], found)
  known.set(inputSchema, found)
  return found
}

function visit(schema: JsonObject, path: readonly string[], found: Mirrored[]): void {
  const name = memberAt(schema, "x-mcp-header")
  const type = memberAt(schema, "type")
  if (
    typeof name === "string" &&
    token.test(name) &&
    typeof type === "string" &&
    mirroredTypes.has(type) &&
    path.length > 0
  ) {
    found.push({ header: prefix + name.toLowerCase(), path, type })
  }
  const properties = objectAt(schema, "properties")
  if (properties === undefined || path.length >= greatestDepth) return
  for (const [key, value] of Object.entries(properties)) {
    const child = asObject(value)
    if (child !== undefined) visit(child, [...path, key], found)
  }
}

/** Headers for a modern server, by lower-case name, from what a call says. */
export function paramHeaders(inputSchema: JsonObject, args: JsonObject): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const { header, path } of mirroredBy(inputSchema)) {
    const text = textOf(valueAt(args, path))
    if (text !== undefined) headers.set(header, encodeHeaderValue(text))
  }
  return headers
}

/** Headers of a run, made from the arguments that run and from nothing else: what a client mirrored of others, or added, goes no further. */
export function headersOfRun(inputSchema: JsonObject | undefined, args: JsonObject): ReadonlyMap<string, string> {
  return inputSchema === undefined ? none : paramHeaders(inputSchema, args)
}

/** The error in a modern client's headers; undefined if they agree with the body. Names are lower-case. */
export function checkParamHeaders(
  inputSchema: JsonObject,
  args: JsonObject,
  headers: ReadonlyMap<string, string>,
): RpcError | undefined {
  for (const { header, path, type } of mirroredBy(inputSchema)) {
    const value = valueAt(args, path)
    const text = textOf(value)
    // An argument that is not there, or cannot be written in a header, expects none.
    if (text === undefined) continue
    const given = headers.get(header)
    if (given === undefined) return mismatch(header, "is missing, and the body has its argument")
    const decoded = decodeHeaderValue(given)
    if (decoded === undefined) return mismatch(header, "is not base64 of UTF-8 between its marks")
    if (decoded !== text && !sameNumber(type, decoded, value))
      return mismatch(header, "differs from its argument in the body")
  }
  return undefined
}

/** Of all headers, those that mirror arguments. */
export function paramHeadersOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): ReadonlyMap<string, string> {
  let found: Map<string, string> | undefined
  for (const name in headers) {
    const value = headers[name]
    if (!name.startsWith(prefix) || typeof value !== "string") continue
    found ??= new Map()
    found.set(name, value)
  }
  return found ?? none
}

const none: ReadonlyMap<string, string> = new Map()
const decimal = /^-?\d+(?:\.\d+)?$/

function sameNumber(type: string, decoded: string, value: JsonValue | undefined): boolean {
  return (type === "integer" || type === "number") && decimal.test(decoded) && Number(decoded) === value
}

function valueAt(args: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args
  for (const key of path) value = memberAt(asObject(value), key)
  return value
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "true" : "false"
  if (typeof value === "number")
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value)
  return value !== undefined && isRawNumber(value) ? (value as RawNumber).rawJSON : undefined
}

function mismatch(header: string, problem: string): RpcError {
  return rpcError(errorCode.headerMismatch, `The header ${header} ${problem}.`, { mismatch: { header } })
}
