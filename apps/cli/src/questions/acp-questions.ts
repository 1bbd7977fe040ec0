import { asObject, type JsonObject, type JsonValue, listAt, memberAt, objectAt, textAt } from "@byleave/core"
import { isAllowedAsAsked } from "./permission-gate.ts"
import type { Dialect } from "./relay-messages.ts"

/**
 * Permission requests of the Agent Client Protocol, version 1. A yes is for once: of the options offered, the one that allows once is
 * chosen, and never one that changes what is asked later.
 */
export const acp: Dialect = {
  // A program that works by way of the client asks about that as about its own work.
  passes: new Set([
    ...["fs/read_text_file", "fs/write_text_file", "elicitation/create"],
    ...["terminal/create", "terminal/output", "terminal/release", "terminal/wait_for_exit", "terminal/kill"],
  ]),
  questionIn: ({ method, params }) => {
    if (method !== "session/request_permission") return null
    const call = objectAt(params, "toolCall") ?? {}
    const args = shownOf(call)
    const options = listAt(params, "options") ?? []
    // The answer goes by the options: other arguments than those shown cannot be given.
    const reply = (isAllowed: boolean): JsonObject => {
      const option = optionFor(options, isAllowed ? "allow_once" : "reject_once")
      return { outcome: option === null ? { outcome: "cancelled" } : { outcome: "selected", optionId: option } }
    }
    // A request may name a call that was announced before by its id alone. Nobody could tell which rule is about it.
    const tool = textAt(call, "name") ?? textAt(call, "kind")
    if (args === null || tool === undefined) {
      return { kind: "unclear", why: "It does not say which tool is to do what.", reply: () => reply(false) }
    }
    return {
      kind: "clear",
      question: { session: textAt(params, "sessionId") ?? null, tool, args },
      reply: (answer) => reply(isAllowedAsAsked(answer, args)),
    }
  },
  withdrawnBy: ({ method, params }) =>
    method === "session/cancel" ? ({ session }) => session === (textAt(params, "sessionId") ?? null) : null,
  takenBackBy: ({ method, params }) => (method === "$/cancel_request" ? memberAt(params, "requestId") : undefined),
}

/** The part of a tool call that people and rules are shown: its input, or all of it where it has none. Null: it says nothing of what is done. */
function shownOf(call: JsonObject): JsonObject | null {
  const { rawInput = null, ...rest } = call
  const raw = asObject(rawInput)
  if (raw !== undefined && Object.keys(raw).length > 0) return raw
  if (raw === undefined && rawInput !== null) return call
  // Some programs show the command in the title alone.
  const isSaid = textAt(rest, "title") || (listAt(rest, "content") ?? listAt(rest, "locations") ?? []).length > 0
  return isSaid ? rest : null
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
