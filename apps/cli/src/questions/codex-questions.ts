import { type JsonObject, objectAt, textAt, without } from "@byleave/core"
import { isAllowedAsAsked } from "./permission-gate.ts"
import type { AskedPermission, Dialect } from "./stdio-relay.ts"

const mostItems = 1_000

/** Approval requests of Codex's app server. A change of files is described by the item that was announced before it is asked about. */
export function codexAppServer(): Dialect {
  const items = new Map<string, JsonObject>()
  return {
    see: ({ method, params }) => {
      const item = method === "item/started" ? objectAt(params, "item") : undefined
      const id = textAt(item, "id")
      if (item === undefined || id === undefined || textAt(item, "type") !== "fileChange") return
      items.set(id, item)
      const [oldest] = items.keys()
      if (items.size > mostItems && oldest !== undefined) items.delete(oldest)
    },
    questionIn: ({ method, params }) => {
      const session = textAt(params, "threadId") ?? null
      switch (method) {
        case "item/commandExecution/requestApproval":
          return decided({ session, tool: "command", args: told(params, commandNoise) })
        case "item/fileChange/requestApproval": {
          const item = items.get(textAt(params, "itemId") ?? "") ?? {}
          const args = { ...told(params, fileNoise), ...told(item, ["id", "type", "status"]) }
          return decided({ session, tool: "file_change", args })
        }
        case "item/permissions/requestApproval": {
          const asked = objectAt(params, "permissions") ?? {}
          const args = told(params, commandNoise)
          return {
            ...{ session, tool: "permissions", args },
            reply: (answer) => ({ permissions: isAllowedAsAsked(answer, args) ? asked : {}, scope: "turn" }),
          }
        }
        default:
          return null
      }
    },
    withdrawnBy: ({ method, params }) =>
      method === "turn/interrupt" ? ({ session }) => session === (textAt(params, "threadId") ?? null) : null,
  }
}

/** Parts of a question that name it and change nothing about what runs; a repeat would otherwise be another call. */
const fileNoise = ["threadId", "turnId", "itemId", "startedAtMs"]
const commandNoise = [
  ...fileNoise,
  ...["approvalId", "commandActions", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"],
]

function told(params: JsonObject, noise: readonly string[]): JsonObject {
  return without(params, [...noise, ...Object.keys(params).filter((key) => params[key] === null)])
}

/** Codex takes no other arguments than those it showed: an edit is a no. */
function decided(question: Omit<AskedPermission, "reply">): AskedPermission {
  return {
    ...question,
    reply: (answer) => ({ decision: isAllowedAsAsked(answer, question.args) ? "accept" : "decline" }),
  }
}
