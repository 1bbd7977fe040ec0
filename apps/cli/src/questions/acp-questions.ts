import { isDeepStrictEqual } from "node:util"
import { asObject, type JsonObject, type JsonValue, listAt, memberAt, objectAt, textAt } from "@byleave/core"
import { createAnnouncedItems, type ItemPlace } from "./announced-items.ts"
import { isAllowedAsAsked } from "./permission-gate.ts"
import type { Dialect } from "./relay-messages.ts"

/**
 * `inputIn`: where a program tells the whole input of a call. In its announcement of the call, if nothing is said here; in the question; or
 * nowhere: the title of a command is the command, and the question of one with more than that offers no option that allows it always.
 */
export type AcpOptions = { readonly inputIn?: "announcement" | "question" | "title" }

/**
 * Permission requests of the Agent Client Protocol, version 1.
 *
 * I1. A question is asked only where the program names the tool, or where the kind of the call and what comes with it say what is done.
 *     Titles name no tool: models and MCP servers choose them.
 * I2. The arguments hold the whole input of the call, and not only what the question says of it. Where it is not known, where the question
 *     contradicts it, or where it changes while it is asked about, the answer is no.
 * I3. A yes is for once: of the options offered, the one that allows once is chosen, and never one that changes what is asked later.
 */
export function acp({ inputIn = "announcement" }: AcpOptions = {}): Dialect {
  const announced = createAnnouncedItems()
  return {
    // A program that works by way of the client asks about that as about its own work.
    passes: new Set([
      ...["fs/read_text_file", "fs/write_text_file", "elicitation/create"],
      ...["terminal/create", "terminal/output", "terminal/release", "terminal/wait_for_exit", "terminal/kill"],
    ]),
    see: ({ method, params, isWhole, size }) => {
      const update = objectAt(params, "update")
      const place = placeOf(params, update)
      if (method !== "session/update" || update === undefined || place === null) return
      if (["completed", "failed"].includes(textAt(update, "status") ?? "")) return announced.remove(place)
      const known = announced.at(place)
      if (textAt(update, "sessionUpdate") === "tool_call") {
        // Models choose the ids of calls. Of two calls with one id, nobody could tell which one is asked about.
        announced.put(place, isWhole && known === undefined ? update : null, size)
      } else if (textAt(update, "sessionUpdate") === "tool_call_update" && known) {
        const changed = changedBy(known, update)
        if (!isWhole) announced.put(place, null, 0)
        else if (changed !== known) announced.put(place, changed, JSON.stringify(changed).length)
      }
    },
    forget: () => announced.clear(),
    questionIn: ({ method, params }) => {
      if (method !== "session/request_permission") return null
      const call = objectAt(params, "toolCall") ?? {}
      const options = listAt(params, "options") ?? []
      // The answer goes by the options: other arguments than those shown cannot be given.
      const reply = (isAllowed: boolean): JsonObject => {
        const option = optionFor(options, isAllowed ? "allow_once" : "reject_once")
        return { outcome: option === null ? { outcome: "cancelled" } : { outcome: "selected", optionId: option } }
      }
      const place = placeOf(params, call)
      const item = place === null ? undefined : announced.at(place)
      const isCurrent = (): boolean => item === (place === null ? undefined : announced.at(place))
      const asked = inputIn === "title" ? askedWithoutInput(call, options) : askedWithInput(call, item, inputIn)
      if (asked === null) {
        return { kind: "unclear", why: "It does not say which tool is to do what.", reply: () => reply(false) }
      }
      return {
        kind: "clear",
        question: { session: textAt(params, "sessionId") ?? null, ...asked },
        reply: (answer) => reply(isAllowedAsAsked(answer, asked.args) && isCurrent()),
      }
    },
    withdrawnBy: ({ method, params }) =>
      method === "session/cancel" ? ({ session }) => session === (textAt(params, "sessionId") ?? null) : null,
    takenBackBy: ({ method, params }) => (method === "$/cancel_request" ? memberAt(params, "requestId") : undefined),
  }
}

function placeOf(params: JsonObject, call: JsonObject | undefined): ItemPlace | null {
  const thread = textAt(params, "sessionId")
  const item = textAt(call, "toolCallId")
  return thread === undefined || item === undefined ? null : { thread, item }
}

/** The announcement after an update of it; the same one where nothing changes about what is done. */
function changedBy(known: JsonObject, update: JsonObject): JsonObject {
  const told = ["kind", "rawInput", "locations"].flatMap((name) => {
    const value = memberAt(update, name)
    return value === undefined || isDeepStrictEqual(value, known[name]) ? [] : [[name, value] as const]
  })
  return told.length === 0 ? known : { ...known, ...Object.fromEntries(told) }
}

type AskedCall = { readonly tool: string; readonly args: JsonObject }

/** A call whose input is known; null: it is not, or what is done is not said. */
function askedWithInput(
  call: JsonObject,
  item: JsonObject | null | undefined,
  inputIn: "announcement" | "question",
): AskedCall | null {
  const isWhole = inputIn === "question" && item === undefined
  const input = objectAt(isWhole ? call : (item ?? undefined), "rawInput")
  const args = argumentsIn(call)
  if (input === undefined || args === null || !isIn(objectAt(call, "rawInput") ?? {}, input)) return null
  const name = nameIn(call, item)
  const kind = name === null && agrees(call, item ?? call, input) ? tellingKind(call) : null
  const tool = name ?? kind
  if (tool === null || isDeepStrictEqual(call.rawInput, input)) return tool === null ? null : { tool, args }
  return { tool, args: { ...args, toolCall: { ...objectAt(args, "toolCall"), announced: input } } }
}

/** A call of a program that tells no input: its title is the command, or the change shows all that is done. */
function askedWithoutInput(call: JsonObject, options: readonly JsonValue[]): AskedCall | null {
  const args = argumentsIn(call)
  const kind = textAt(call, "kind") ?? ""
  if (args === null || call.rawInput !== undefined) return null
  const isPlain = options.some((option) => textAt(asObject(option), "kind") === "allow_always")
  const isCommand = kind === "execute" && saysText(call, "title") && isPlain
  return isCommand || (kind === "edit" && placesIn(call) > 0 && hasDiff(call)) ? { tool: kind, args } : null
}

/** Whether the question says nothing else than the input, where both have a member of one name. */
function isIn(said: JsonObject, input: JsonObject): boolean {
  return Object.keys(said).every((key) => !Object.hasOwn(input, key) || isDeepStrictEqual(said[key], input[key]))
}

/** Whether the announcement is of the same kind and places as the question, and its input has what says what is done. */
function agrees(call: JsonObject, item: JsonObject, input: JsonObject): boolean {
  const kind = textAt(call, "kind") ?? ""
  const places = pathsIn(call)
  const announced = pathsIn(item)
  const isThere = announced.length === 0 || places.every((path) => announced.includes(path))
  const names = inputNames.get(kind)
  const isSaid = names === undefined ? Object.keys(input).length > 0 : names.some((name) => saysText(input, name))
  return isThere && isSaid && (textAt(item, "kind") ?? kind) === kind
}

/** The tool's name in the question itself, or, as Goose has it, in the announcement of the same call. Null: it has none, or no input. */
function nameIn(call: JsonObject, announced: JsonObject | null | undefined): string | null {
  const input = objectAt(call, "rawInput")
  if (input === undefined) return null
  const told = isDeepStrictEqual(announced?.rawInput, input) ? objectAt(announced ?? undefined, "_meta") : undefined
  return textAt(call, "name") || textAt(objectAt(objectAt(told, "goose"), "toolCall"), "toolName") || null
}

/** The kind of a call that says by itself what is done; null where it does not. */
function tellingKind(call: JsonObject): string | null {
  const kind = textAt(call, "kind") ?? ""
  return needs.get(kind)?.(call) === true ? kind : null
}

/** The members of an input that say what is done, by kind; one of them is needed. */
const inputNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["execute", ["command"]],
  ["search", ["pattern", "query"]],
  ["fetch", ["url"]],
])

/**
 * What else such a call says. Places are those that the program names, `locations`: some programs let an MCP server say that its tool only
 * reads, and its input says nothing then.
 */
const needs: ReadonlyMap<string, (call: JsonObject) => boolean> = new Map([
  ...[...inputNames].map(([kind, names]) => [kind, hasInput(...names)] as const),
  ["read", (call) => placesIn(call) > 0],
  ["delete", (call) => placesIn(call) > 0],
  ["move", (call) => placesIn(call) > 1],
  ["edit", (call) => placesIn(call) > 0 && (hasInput("diff")(call) || hasDiff(call))],
])

function hasInput(...names: readonly string[]): (call: JsonObject) => boolean {
  return (call) => names.some((name) => saysText(objectAt(call, "rawInput"), name))
}

function placesIn(call: JsonObject): number {
  return pathsIn(call).filter((path) => path.trim() !== "").length
}

function pathsIn(call: JsonObject): readonly string[] {
  return (listAt(call, "locations") ?? []).flatMap((each) => textAt(asObject(each), "path") ?? [])
}

function hasDiff(call: JsonObject): boolean {
  return (listAt(call, "content") ?? []).some((each) => textAt(asObject(each), "type") === "diff")
}

function saysText(object: JsonObject | undefined, name: string): boolean {
  return (textAt(object, name) ?? "").trim() !== ""
}

/** The input, and beside it, apart from it, what the program says of the call: its title, kind, places. Null: it cannot be shown so. */
function argumentsIn({ rawInput = null, toolCallId: _, status: __, ...toolCall }: JsonObject): JsonObject | null {
  const input = rawInput === null ? {} : asObject(rawInput)
  return input === undefined || Object.hasOwn(input, "toolCall") ? null : { ...input, toolCall }
}

/**
 * The id of the only option of its kind; of several allows, the one whose id says once. Null: there is none that is plain, or its id is
 * another option's, too.
 */
function optionFor(options: readonly JsonValue[], kind: "allow_once" | "reject_once"): string | null {
  const ids = options.map((option) => textAt(asObject(option), "optionId"))
  const fitting = ids.filter((id, at): id is string => {
    const isOnly = ids.indexOf(id) === at && ids.lastIndexOf(id) === at
    return id !== undefined && isOnly && textAt(asObject(options[at]), "kind") === kind
  })
  if (fitting.length <= 1 || kind === "reject_once") return fitting[0] ?? null
  const once = fitting.filter((id) => /once/i.test(id))
  return once.length === 1 ? (once[0] ?? null) : null
}
