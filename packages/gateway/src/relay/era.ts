/** What differs between the eras in the members of requests, results and errors. Everything else passes as it came. */
import type { JsonObject } from "@byleave/core"
import type { Caller, Era } from "../wire/caller.ts"
import { serverInfoKey, withoutEnvelope } from "../wire/envelope.ts"
import { errorCode } from "../wire/errors.ts"
import { asObject, memberAt, objectAt, without } from "../wire/members.ts"
import type { RpcError } from "../wire/message.ts"

export const tasksExtension = "io.modelcontextprotocol/tasks"

const modernOnly = ["inputResponses", "requestState"]

/** Params as a legacy server takes them: without what only the modern era says. */
export function legacyParams(params: JsonObject | undefined): JsonObject | undefined {
  return params === undefined ? undefined : withoutEnvelope(without(params, modernOnly))
}

/** The abilities of a legacy client in the words of the modern era, which knows no tasks or list changes of the client there. */
export function modernAbilities(caller: Caller): JsonObject {
  if (caller.era === "modern") return caller.abilities
  const kept = without(caller.abilities, ["tasks"])
  const roots = asObject(memberAt(kept, "roots"))
  return roots === undefined ? kept : { ...kept, roots: without(roots, ["listChanged"]) }
}

const cacheable = new Set([
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
])
const caching = ["ttlMs", "cacheScope"]

/** A result in the words of the caller's era; applied to what either era's server said. */
export function resultFor(era: Era, method: string, result: JsonObject, serverInfo?: JsonObject): JsonObject {
  if (era === "legacy") {
    const plain = without(result, ["resultType"])
    return cacheable.has(method) ? without(plain, caching) : plain
  }
  const typed = memberAt(result, "resultType") === undefined ? { resultType: "complete", ...result } : result
  const named = serverInfo === undefined ? typed : withServer(typed, serverInfo)
  if (!cacheable.has(method) || named.resultType !== "complete") return named
  return { ttlMs: 0, cacheScope: "private", ...named }
}

function withServer(result: JsonObject, serverInfo: JsonObject): JsonObject {
  const meta = objectAt(result, "_meta")
  if (meta !== undefined && Object.hasOwn(meta, serverInfoKey)) return result
  return { ...result, _meta: { ...meta, [serverInfoKey]: serverInfo } }
}

/** A server's error in the words of the caller's era: a missing resource has another code in each. */
export function errorFor(era: Era, method: string, error: RpcError, from: Era): RpcError {
  if (era === from || method !== "resources/read") return error
  if (era === "modern" && error.code === errorCode.resourceNotFound) return { ...error, code: errorCode.invalidParams }
  if (era === "legacy" && error.code === errorCode.invalidParams) return { ...error, code: errorCode.resourceNotFound }
  return error
}

/** Whether this request's client says it can be given a task. */
export function takesTasks(caller: Caller): boolean {
  return caller.era === "modern" && objectAt(objectAt(caller.abilities, "extensions"), tasksExtension) !== undefined
}
