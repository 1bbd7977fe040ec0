/** Results in the words of the caller's era. Requests and errors are put into words where the server is spoken to. */
import { type JsonObject, memberAt, objectAt, without } from "@byleave/core"
import type { Caller, Era } from "../wire/caller.ts"
import { serverInfoKey } from "../wire/envelope.ts"
import { withOwn } from "../wire/names/twin-names.ts"

export const tasksExtension = "io.modelcontextprotocol/tasks"

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
  const typed = withOwn(result, { resultType: memberAt(result, "resultType") ?? "complete" })
  const named = serverInfo === undefined ? typed : withServer(typed, serverInfo)
  if (!cacheable.has(method) || named.resultType !== "complete") return named
  const { ttlMs = 0, cacheScope = "private" } = named
  return withOwn(named, { ttlMs, cacheScope })
}

function withServer(result: JsonObject, serverInfo: JsonObject): JsonObject {
  const meta = objectAt(result, "_meta")
  if (meta !== undefined && Object.hasOwn(meta, serverInfoKey)) return result
  return withOwn(result, { _meta: withOwn(meta ?? {}, { [serverInfoKey]: serverInfo }) })
}

/** Whether this request's client says it can be given a task. */
export function takesTasks(caller: Caller): boolean {
  return caller.era === "modern" && objectAt(objectAt(caller.abilities, "extensions"), tasksExtension) !== undefined
}
