/**
 * The tools a server lists, read within limits: a list is the server's word, and every connection keeps one.
 *
 * I1. Nothing is asked for beyond a limit, and no more is kept than the limits say, whatever a server sends.
 * I2. A list that was cut says so, and in which way.
 */
import { asObject, type JsonObject, type JsonValue, listAt, objectAt, quoted, type ToolDefinition } from "@byleave/core"
import type { Link } from "../../upstream/link.ts"
import { type OnBehalf, ownRequest } from "../own-request.ts"

export type ToolListLimits = {
  readonly pages: number
  readonly tools: number
  /** Of all definitions together, written as JSON. */
  readonly bytes: number
  /** Objects, lists, texts and numbers in all definitions together. */
  readonly values: number
  /** From the first page until the last is asked for; each page has the time of a request besides. */
  readonly ms: number
  /** How long a list may be used where nothing tells that another server answers by now. */
  readonly goodMs: number
}

export const defaultToolListLimits: ToolListLimits = {
  pages: 100,
  tools: 5_000,
  bytes: 8 * 1024 * 1024,
  values: 200_000,
  ms: 60_000,
  goodMs: 30_000,
}

export type ToolListing = {
  readonly tools: readonly ToolDefinition[]
  /** The omissions from the list, in words for people; null: none. */
  readonly cut: string | null
}

/** Reads page after page until the list ends or a limit is met. Tools beyond a limit are unknown, and cannot be called. */
export async function readTools(
  link: Link,
  limits: ToolListLimits,
  now: () => number,
  onBehalf: OnBehalf = {},
): Promise<ToolListing> {
  if (objectAt(objectAt(link.hello, "capabilities"), "tools") === undefined) return { tools: [], cut: null }
  const taking = createTaking(limits)
  const until = now() + limits.ms
  const asked = new Set<string>()
  let cursor: JsonObject = {}
  for (let page = 0; page < limits.pages; page += 1) {
    if (page > 0 && now() >= until) return taking.cutAs(`takes longer than ${limits.ms / 1_000} s to list its tools`)
    const reply = await ownRequest(link, { method: "tools/list", params: cursor }, onBehalf)
    if (reply.kind === "error") throw new Error(`It does not list its tools. It said: ${quoted(reply.error.message)}`)
    if (!taking.take(toolsOf(reply.result))) return taking.listing()
    const { nextCursor } = reply.result
    if (typeof nextCursor !== "string" || nextCursor === "") return taking.listing()
    if (asked.has(nextCursor)) return taking.cutAs("leads back to an earlier page of its list of tools")
    asked.add(nextCursor)
    cursor = { cursor: nextCursor }
  }
  return taking.cutAs(`lists its tools on more than ${limits.pages} pages`)
}

/** The same limits for a list that came whole. */
export function limitTools(tools: readonly ToolDefinition[], limits: ToolListLimits): ToolListing {
  const taking = createTaking(limits)
  taking.take(tools)
  return taking.listing()
}

/** The definitions of a page; an entry without a name is no tool. */
export function toolsOf(result: JsonObject): readonly ToolDefinition[] {
  return (listAt(result, "tools") ?? []).flatMap((listed) => {
    const tool = asObject(listed)
    return typeof tool?.name === "string" ? [tool as ToolDefinition] : []
  })
}

type Taking = {
  /** False: a limit is met. */
  readonly take: (tools: readonly ToolDefinition[]) => boolean
  readonly listing: () => ToolListing
  readonly cutAs: (what: string) => ToolListing
}

function createTaking(limits: ToolListLimits): Taking {
  const taken: ToolDefinition[] = []
  let bytes = 0
  let values = 0
  let cut: string | null = null
  const cutAs = (what: string): ToolListing => {
    cut ??= `The server ${what}. ${beyond(taken.length)}`
    return { tools: taken, cut }
  }
  return {
    take: (tools) => {
      for (const tool of tools) {
        // Characters of the text stand for its bytes here: within a factor of three, and without writing it twice.
        bytes += JSON.stringify(tool).length
        values += countValues(tool)
        if (taken.length >= limits.tools) cutAs(`lists more than ${limits.tools} tools`)
        else if (bytes > limits.bytes) cutAs(`lists more than ${sizeWords(limits.bytes)} of tool definitions`)
        else if (values > limits.values) cutAs(`lists more than ${limits.values} values in its tool definitions`)
        if (cut !== null) return false
        taken.push(tool)
      }
      return true
    },
    listing: () => ({ tools: taken, cut }),
    cutAs,
  }
}

function countValues(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1
  let count = 1
  for (const inner of Array.isArray(value) ? value : Object.values(value)) count += countValues(inner)
  return count
}

function beyond(count: number): string {
  const offered = count === 1 ? "Only the first tool is" : `Only the first ${count} tools are`
  return `${offered} offered; calls to the others are refused.`
}

function sizeWords(bytes: number): string {
  const mebibytes = bytes / 1024 / 1024
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`
}
