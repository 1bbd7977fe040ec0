/**
 * Whether a tool reads or writes, and who says so.
 *
 * I1. Where nobody answers, or anyone who may answer says `write`, it writes.
 * I2. A server that is not trusted cannot make a tool count as reading, neither by annotation nor by name.
 */

import type { ToolRef } from "../../call/call.ts"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonValue } from "../../call/json/json.ts"
import { asObject } from "../../call/json/members.ts"
import type { AccessSource } from "../decide/decision.ts"
import { namesAddress, namesProgram, wordSet } from "../risks/argument-kind.ts"
import { nameWords } from "../risks/name-words.ts"
import type { Access, ClassifyRule, ServerPolicy } from "./rule.ts"
import { compileTarget } from "./target-pattern.ts"

export type ToolAccess = {
  readonly access: Access
  readonly from: AccessSource
  /** False where `read` is only a label. */
  readonly counts: boolean
}

export function toolAccess(
  definition: ToolDefinition | null,
  tool: ToolRef,
  server: ServerPolicy | undefined,
  classify: readonly ClassifyRule[],
): ToolAccess {
  const classified = byRule(tool, classify)
  if (classified !== null) return { access: classified, from: "classify", counts: true }
  const trusted = server?.trust === "annotations"
  const annotated = trusted ? byAnnotation(definition) : null
  if (annotated !== null) return { access: annotated, from: "annotation", counts: true }
  if (readsByName(tool.tool) && !takesProgram(definition?.inputSchema)) {
    // Without a definition nobody knows what it takes, so the name alone is no more than a label.
    return { access: "read", from: "name", counts: trusted && definition !== null }
  }
  return { access: "write", from: "default", counts: true }
}

/** The order of rules never matters: one that says `write` wins. */
function byRule(tool: ToolRef, classify: readonly ClassifyRule[]): Access | null {
  const target = { server: tool.server, kind: "tool", name: tool.tool } as const
  const matching = classify.filter((rule) => compileTarget(rule.target)(target, "allow"))
  if (matching.length === 0) return null
  return matching.some((rule) => rule.access === "write") ? "write" : "read"
}

function byAnnotation(definition: ToolDefinition | null): Access | null {
  const annotations = asObject(definition?.annotations)
  if (annotations === undefined) return null
  if (annotations.destructiveHint === true || annotations.readOnlyHint === false) return "write"
  return annotations.readOnlyHint === true ? "read" : null
}

const readingVerbs = wordSet(`
  list get read search find describe show view fetch lookup query count check inspect browse retrieve peek stat status info
  ls cat head tail grep diff compare preview`)

/** Wherever they stand, something changes. */
const writingVerbs = wordSet(`
  write create delete remove update set put patch add append insert edit modify change replace rename move copy upload download save store
  execute exec run invoke eval apply deploy install uninstall enable disable start stop restart kill terminate cancel send publish push commit
  merge rebase reset revert rollback drop truncate purge clear wipe destroy erase unarchive restore import sync approve reject grant revoke
  assign unassign attach detach reopen unlock mark unstar subscribe unsubscribe follow unfollow clone register unregister submit trigger
  scale transfer pay buy sell refund click press fill navigate goto drag select make touch mkdir rm mv cp chmod chown unlink bind unmount
  generate reindex migrate dismiss unpin mute ban unblock invite kick reply react vote upsert overwrite flush rotate sign connect disconnect
  login logout configure toggle pause resume retry enqueue dequeue dispatch emit notify broadcast unload upgrade downgrade`)

/** Verbs that are as often nouns (`get_post`, `list_open_issues`): they count before the reading verb and after a conjunction. */
const doubtfulVerbs = wordSet(`
  post call archive close open lock star fork schedule order book type link mount format build index resolve pin block comment queue load record`)

const conjunctions = wordSet("and or then")

function readsByName(name: string): boolean {
  const parts = nameWords(name)
  const verb = parts.findIndex((word) => readingVerbs.has(word))
  if (verb < 0) return false
  return !parts.some((word, at) => {
    if (writingVerbs.has(word)) return true
    return doubtfulVerbs.has(word) && (at < verb || conjunctions.has(parts[at - 1] ?? ""))
  })
}

/** Whether a schema asks, anywhere, for an address to visit or something to carry out; a name cannot make that harmless. */
function takesProgram(schema: JsonValue | undefined): boolean {
  return asksForProgram(schema, 0)
}

const deepestSchema = 64

function asksForProgram(schema: JsonValue | undefined, depth: number): boolean {
  if (typeof schema !== "object" || schema === null) return false
  if (depth > deepestSchema) return true
  if (Array.isArray(schema)) return schema.some((part) => asksForProgram(part, depth + 1))
  const fields = Object.entries(schema)
  return fields.some(([field, value]) => {
    if (field === "format" && (value === "uri" || value === "url" || value === "iri" || value === "uri-reference"))
      return true
    if (field === "properties" && Object.keys(asObject(value) ?? {}).some(namesDeed)) return true
    return asksForProgram(value, depth + 1)
  })
}

function namesDeed(property: string): boolean {
  return namesAddress(property) || namesProgram(property)
}
