import { asObject, type JsonObject, type JsonValue, listAt, memberAt, objectAt, textAt } from "@byleave/core"
import { isAllowedAsAsked } from "./permission-gate.ts"
import type { Dialect } from "./stdio-relay.ts"

/**
 * Permission requests of the Agent Client Protocol, version 1. A yes is for once: of the options offered, the one that allows once is
 * chosen, and never one that changes what is asked later.
 */
export const acp: Dialect = {
  questionIn: ({ method, params }) => {
    if (method !== "session/request_permission") return null
    const call = objectAt(params, "toolCall") ?? {}
    const { rawInput, ...shown } = call
    const raw = asObject(rawInput)
    // Some programs show the command in the title alone.
    const args = raw === undefined || Object.keys(raw).length === 0 ? shown : raw
    const tool = textAt(call, "name") ?? textAt(call, "kind") ?? "tool"
    return {
      session: textAt(params, "sessionId") ?? null,
      tool,
      args,
      reply: (answer) => {
        // The answer goes by the options: other arguments than those shown cannot be given.
        const isAllowed = isAllowedAsAsked(answer, args)
        const option = optionFor(listAt(params, "options") ?? [], isAllowed ? "allow_once" : "reject_once")
        return { outcome: option === null ? { outcome: "cancelled" } : { outcome: "selected", optionId: option } }
      },
    }
  },
  withdrawnBy: ({ method, params }) =>
    method === "session/cancel" ? ({ session }) => session === (textAt(params, "sessionId") ?? null) : null,
}

/** The id of the only option of its kind; of several allows, the one whose id says once. Null: there is none that is plain. */
function optionFor(options: readonly JsonValue[], kind: "allow_once" | "reject_once"): JsonValue | null {
  const fitting = options.flatMap((each): readonly JsonObject[] => {
    const option = asObject(each)
    return option !== undefined && textAt(option, "kind") === kind ? [option] : []
  })
  const ids = fitting.map((option) => memberAt(option, "optionId") ?? null)
  if (ids.length <= 1 || kind === "reject_once") return ids[0] ?? null
  const once = ids.filter((id) => typeof id === "string" && /once/i.test(id))
  return once.length === 1 ? (once[0] ?? null) : null
}
