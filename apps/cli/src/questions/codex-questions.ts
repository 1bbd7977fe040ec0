import { asObject, type JsonObject, type JsonValue, listAt, memberAt, objectAt, textAt, without } from "@byleave/core"
import { shellQuoted } from "@byleave/formats/languages"
import { createAnnouncedItems, type ItemPlace } from "./announced-items.ts"
import { isAllowedAsAsked, type PermissionAnswer } from "./permission-gate.ts"
import type { AskedPermission, Dialect, SeenMessage } from "./relay-messages.ts"

/**
 * Approval requests of Codex's app server.
 *
 * I1. A change of files is described by the item that was announced before it is asked about: without all of it, or where it changes
 *     while it is asked about, the answer is no.
 * I2. A yes is for this once: a question that wants more is answered no.
 * I3. A tool of an MCP server is asked about by its server and its own name. Without both, or its arguments, the answer is no.
 */
export function codexAppServer(): Dialect {
  const changes = createAnnouncedItems()
  return {
    passes: new Set([
      ...["item/tool/call", "item/tool/requestUserInput", "mcpServer/elicitation/request"],
      ...["account/chatgptAuthTokens/refresh", "attestation/generate", "currentTime/read"],
    ]),
    see: ({ method, params, isWhole, size }: SeenMessage) => {
      const item = objectAt(params, "item")
      const place = placeOf(params, textAt(item, "id") ?? textAt(params, "itemId"))
      if (place === null) return
      if (method === "item/completed") changes.remove(place)
      else if (method === "item/started") {
        if (item !== undefined && textAt(item, "type") === "fileChange") changes.put(place, isWhole ? item : null, size)
        else changes.remove(place)
      } else if (method === "item/fileChange/patchUpdated") {
        const known = changes.at(place)
        const list = listAt(params, "changes")
        if (known === undefined) return
        changes.put(place, isWhole && known !== null && list !== undefined ? { ...known, changes: list } : null, size)
      }
    },
    forget: () => changes.clear(),
    questionIn: ({ method, params }) => {
      switch (method) {
        case "item/commandExecution/requestApproval":
          return commandQuestion(params)
        case "item/fileChange/requestApproval": {
          const place = placeOf(params, textAt(params, "itemId"))
          const item = place === null ? undefined : changes.at(place)
          return changeQuestion(params, item, () => place !== null && changes.at(place) === item)
        }
        case "item/permissions/requestApproval":
          return permissionsQuestion(params)
        case "execCommandApproval":
          return earlierCommandQuestion(params)
        case "applyPatchApproval":
          return earlierChangeQuestion(params)
        case "mcpServer/elicitation/request":
          return serverToolQuestion(params)
        case "item/tool/requestUserInput":
          return serverToolChoice(params)
        default:
          return null
      }
    },
    withdrawnBy: ({ method, params }) =>
      method === "turn/interrupt" ? ({ session }) => session === (textAt(params, "threadId") ?? null) : null,
    takenBackBy: ({ method, params }) =>
      method === "serverRequest/resolved" ? memberAt(params, "requestId") : undefined,
  }
}

/** Parts of a question that name it and change nothing about what runs; a repeat would otherwise be another call. */
const fileNoise = ["threadId", "turnId", "itemId", "startedAtMs"]
const itemNoise = ["id", "type", "status", "startedAtMs", "completedAtMs"]
const commandNoise = [
  ...fileNoise,
  ...["approvalId", "commandActions", "proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments"],
]

type Reply = (isAllowed: boolean, answer: PermissionAnswer) => JsonObject

const decide: Reply = (isAllowed) => ({ decision: isAllowed ? "accept" : "decline" })

/** The words of the questions that Codex asked before it had threads and items. */
const decideEarlier: Reply = (isAllowed, answer) => ({
  decision: isAllowed ? "approved" : { denied: { rejection: answer.kind === "deny" ? answer.reason : "" } },
})

function commandQuestion(params: JsonObject): AskedPermission {
  const kind = textAt(params, "kind") ?? "command"
  if (kind !== "command") return unclear("It does not say what would be typed into a running command.", decide)
  if (!textAt(params, "command") && objectAt(params, "networkApprovalContext") === undefined) {
    return unclear("It does not say which command is to run.", decide)
  }
  return clear(params, "command", told(params, commandNoise), decide)
}

function changeQuestion(params: JsonObject, item: JsonObject | null | undefined, isCurrent: () => boolean) {
  if (item === undefined) return unclear("The change of files that it is about is not known.", decide)
  if (item === null) return unclear("The change of files that it is about could not be read, or is too large.", decide)
  if ((listAt(item, "changes") ?? []).length === 0) return unclear("It does not say which files change.", decide)
  if (wantsMore(params)) return unclear(wantsMoreThanOnce, decide)
  const args = { ...told(params, fileNoise), ...told(item, itemNoise) }
  return clear(params, "file_change", args, (isAllowed, answer) => decide(isAllowed && isCurrent(), answer))
}

function permissionsQuestion(params: JsonObject): AskedPermission {
  const asked = objectAt(params, "permissions") ?? {}
  const reply: Reply = (isAllowed) => ({ permissions: isAllowed ? asked : {}, scope: "turn" })
  return clear(params, "permissions", told(params, commandNoise), reply)
}

function earlierCommandQuestion(params: JsonObject): AskedPermission {
  const words = (listAt(params, "command") ?? []).filter((word) => typeof word === "string")
  if (words.length === 0 || words.length !== listAt(params, "command")?.length) {
    return unclear("It does not say which command is to run.", decideEarlier)
  }
  const args = { ...told(params, [...earlierNoise, "parsedCmd"]), command: words.map(shellQuoted).join(" ") }
  return clear(params, "command", args, decideEarlier)
}

function earlierChangeQuestion(params: JsonObject): AskedPermission {
  const files = Object.entries(objectAt(params, "fileChanges") ?? {})
  const changes = files.map(([path, change]): JsonValue => ({ ...asObject(change), path }))
  if (files.length === 0 || files.some(([, change]) => asObject(change) === undefined)) {
    return unclear("It does not say which files change.", decideEarlier)
  }
  if (wantsMore(params)) return unclear(wantsMoreThanOnce, decideEarlier)
  return clear(params, "file_change", { ...told(params, [...earlierNoise, "fileChanges"]), changes }, decideEarlier)
}

const earlierNoise = ["conversationId", "callId", "approvalId"]

const wantsMoreThanOnce = "It asks for writes for the rest of the session, and a yes is for once."

function wantsMore(params: JsonObject): boolean {
  return (memberAt(params, "grantRoot") ?? null) !== null
}

/** Codex asks about tools of MCP servers as if the server asked for input. What a server itself asks is the client's to answer: null. */
function serverToolQuestion(params: JsonObject): AskedPermission | null {
  const meta = objectAt(params, "_meta")
  const kind = memberAt(meta, "codex_approval_kind")
  if (kind === undefined) return null
  const reply: Reply = (isAllowed) =>
    isAllowed ? { action: "accept", content: {}, _meta: null } : { action: "decline", content: null, _meta: null }
  const form = objectAt(objectAt(params, "requestedSchema"), "properties") ?? {}
  if (kind !== "mcp_tool_call" || Object.keys(form).length > 0) {
    return unclear("This kind of question is not known here.", reply)
  }
  const server = textAt(params, "serverName") ?? ""
  const tool = toolIn(textAt(params, "message") ?? "", server)
  if (tool === null) return unclear("It does not say which tool is to run.", reply)
  if (objectAt(meta, "tool_params") === undefined) return unclear(withoutArguments, reply)
  const about = told(params, [...fileNoise, "serverName", "mode", "requestedSchema", "_meta"])
  const said = told(meta ?? {}, ["codex_approval_kind", "persist", "tool_params_display"])
  return clear(params, `${server}/${tool}`, { ...said, ...about, server }, reply)
}

/** The tool's own name, which Codex says in its question alone; `tool_title` is the server's word. Null: it says none. */
function toolIn(question: string, server: string): string | null {
  const [before, after] = [`Allow the ${server} MCP server to run tool "`, '"?']
  const isNamed = question.startsWith(before) && question.endsWith(after)
  const tool = question.slice(before.length, -after.length)
  // With a slash in the server's name, it could be a tool of another server.
  return isNamed && tool !== "" && server !== "" && !server.includes("/") ? tool : null
}

const withoutArguments = "It does not say with which arguments the tool is to run."

/** The same question in the form of a choice does not say with which arguments. Other choices are the client's: null. */
function serverToolChoice(params: JsonObject): AskedPermission | null {
  const ids = (listAt(params, "questions") ?? []).map((each) => textAt(asObject(each), "id") ?? "")
  if (!ids.some((id) => id.startsWith("mcp_tool_call_approval"))) return null
  const answers = Object.fromEntries(ids.map((id) => [id, { answers: ["Cancel"] }]))
  return unclear(withoutArguments, () => ({ answers }))
}

/** Codex takes no other arguments than those it showed: an edit is a no. */
function clear(params: JsonObject, tool: string, args: JsonObject, reply: Reply): AskedPermission {
  const session = textAt(params, "threadId") ?? textAt(params, "conversationId") ?? null
  return {
    kind: "clear",
    question: { session, tool, args },
    reply: (answer) => reply(isAllowedAsAsked(answer, args), answer),
  }
}

function unclear(why: string, reply: Reply): AskedPermission {
  return { kind: "unclear", why, reply: (answer) => reply(false, answer) }
}

function told(params: JsonObject, noise: readonly string[]): JsonObject {
  return without(params, [...noise, ...Object.keys(params).filter((key) => params[key] === null)])
}

function placeOf(params: JsonObject, item: string | undefined): ItemPlace | null {
  const thread = textAt(params, "threadId")
  return thread === undefined || item === undefined ? null : { thread, item }
}
