/**
 * Every method and notification of MCP, in both directions: which revisions have it, what the gateway does with it, and which params of it may
 * reach the other side. Methods that are not in this table do not pass. docs/protocol.md shows it to people and is held to it by a test.
 *
 * I1. A message passes only in the direction and in the revisions that its row names.
 * I2. Every row of a client's that reaches a server names all params that may go with it.
 */
import { longestName } from "@byleave/core"
import { all, legacy, type MessageSender, type MethodRow, modern, newestLegacyOnly } from "./method-row.ts"
import type { ParamShapes } from "./params.ts"
import { serverMethods } from "./server-methods.ts"

const page: ParamShapes = { cursor: { is: "text" } }
/** The params that a modern client sends with its next try; the gateway opens the state and puts the server's own in its place. */
const nextTry: ParamShapes = {
  inputResponses: { is: "object", in: modern },
  requestState: { is: "text", in: modern },
}
const task: ParamShapes = { taskId: { is: "text", required: true } }
const ref: ParamShapes = {
  type: { is: "text", required: true },
  name: { is: "text", longest: longestName },
  title: { is: "text" },
  uri: { is: "text", longest: longestName },
}

export const methodTable: readonly MethodRow[] = [
  // Requests of clients.
  { method: "initialize", from: "client", form: "request", handling: "here", revisions: legacy },
  { method: "ping", from: "client", form: "request", handling: "here", revisions: legacy },
  { method: "server/discover", from: "client", form: "request", handling: "here", revisions: modern },
  {
    method: "subscriptions/listen",
    from: "client",
    form: "request",
    handling: "here",
    revisions: modern,
    judgedAs: ["resource"],
  },
  {
    method: "logging/setLevel",
    from: "client",
    form: "request",
    handling: "here",
    revisions: legacy,
    params: { level: { is: "text", required: true } },
  },
  { method: "tools/list", from: "client", form: "request", handling: "listed", revisions: all, params: page },
  { method: "prompts/list", from: "client", form: "request", handling: "listed", revisions: all, params: page },
  { method: "resources/list", from: "client", form: "request", handling: "listed", revisions: all, params: page },
  {
    method: "resources/templates/list",
    from: "client",
    form: "request",
    handling: "listed",
    revisions: all,
    params: page,
  },
  {
    method: "tools/call",
    from: "client",
    form: "request",
    handling: "judged",
    revisions: all,
    judgedAs: ["tool"],
    params: {
      name: { is: "text", required: true, longest: longestName },
      arguments: { is: "object" },
      task: {
        is: { ttl: { is: "number" }, pollInterval: { is: "number" } },
        in: newestLegacyOnly,
        elsewhere: "ignored",
      },
      ...nextTry,
    },
  },
  {
    method: "prompts/get",
    from: "client",
    form: "request",
    handling: "judged",
    revisions: all,
    judgedAs: ["prompt"],
    params: { name: { is: "text", required: true, longest: longestName }, arguments: { is: "object" }, ...nextTry },
  },
  {
    method: "resources/read",
    from: "client",
    form: "request",
    handling: "judged",
    revisions: all,
    judgedAs: ["resource"],
    params: { uri: { is: "text", required: true, longest: longestName }, ...nextTry },
  },
  {
    method: "resources/subscribe",
    from: "client",
    form: "request",
    handling: "judged",
    revisions: legacy,
    judgedAs: ["resource"],
    params: { uri: { is: "text", required: true, longest: longestName } },
  },
  {
    method: "resources/unsubscribe",
    from: "client",
    form: "request",
    handling: "here",
    revisions: legacy,
    params: { uri: { is: "text", required: true, longest: longestName } },
  },
  {
    method: "completion/complete",
    from: "client",
    form: "request",
    handling: "judged",
    revisions: all,
    judgedAs: ["prompt", "resource"],
    params: {
      ref: { is: ref, required: true },
      argument: {
        is: { name: { is: "text", required: true, longest: longestName }, value: { is: "text", required: true } },
        required: true,
      },
      context: { is: { arguments: { is: "object" } } },
    },
  },
  {
    method: "tasks/get",
    from: "client",
    form: "request",
    handling: "relayed",
    revisions: ["2025-11-25", "2026-07-28"],
    params: task,
  },
  {
    method: "tasks/cancel",
    from: "client",
    form: "request",
    handling: "relayed",
    revisions: ["2025-11-25", "2026-07-28"],
    params: task,
  },
  {
    method: "tasks/update",
    from: "client",
    form: "request",
    handling: "relayed",
    revisions: modern,
    params: { ...task, inputResponses: { is: "object" } },
  },
  {
    method: "tasks/result",
    from: "client",
    form: "request",
    handling: "relayed",
    revisions: newestLegacyOnly,
    params: task,
  },
  {
    method: "tasks/list",
    from: "client",
    form: "request",
    handling: "relayed",
    revisions: newestLegacyOnly,
    params: page,
  },

  // Notifications of clients.
  { method: "notifications/initialized", from: "client", form: "notification", handling: "here", revisions: legacy },
  { method: "notifications/cancelled", from: "client", form: "notification", handling: "here", revisions: all },
  {
    method: "notifications/progress",
    from: "client",
    form: "notification",
    handling: "relayed",
    revisions: legacy,
    params: {
      progressToken: { is: "token", required: true },
      progress: { is: "number", required: true },
      total: { is: "number" },
      message: { is: "text" },
    },
  },
  {
    method: "notifications/roots/list_changed",
    from: "client",
    form: "notification",
    handling: "relayed",
    revisions: legacy,
    judgedAs: ["roots"],
    params: {},
  },
  {
    method: "notifications/tasks/status",
    from: "client",
    form: "notification",
    handling: "relayed",
    revisions: newestLegacyOnly,
    params: {
      ...task,
      status: { is: "text", required: true },
      statusMessage: { is: "text" },
      createdAt: { is: "text" },
      lastUpdatedAt: { is: "text" },
      ttl: { is: "number" },
      pollInterval: { is: "number" },
    },
  },
  ...serverMethods,
]

/** By the method's own text: each message is looked up here, and a joined key would be made and hashed anew for each. */
const byName = {
  client: { request: rowsOf("client", "request"), notification: rowsOf("client", "notification") },
  server: { request: rowsOf("server", "request"), notification: rowsOf("server", "notification") },
} as const

function rowsOf(from: MessageSender, form: MethodRow["form"]): ReadonlyMap<string, MethodRow> {
  const rows = methodTable.filter((row) => row.from === from && row.form === form)
  return new Map(rows.map((row) => [row.method, row]))
}

/** The row of a message in this revision; undefined: it does not pass. */
export function methodRow(
  from: MessageSender,
  form: MethodRow["form"],
  method: string,
  revision: string,
): MethodRow | undefined {
  const row = byName[from][form].get(method)
  return row !== undefined && isWithin(row.revisions, revision) ? row : undefined
}

/** Whether some revision has such a request of clients: then it is a method of MCP, and none that a policy could name. */
export function isProtocolMethod(method: string): boolean {
  return byName.client.request.has(method)
}

/**
 * Whether `requestState` and `inputResponses` of this method say what its client was given and answers. In any other request they mean nothing to
 * MCP, and are arguments like the rest.
 */
export function mayGoOn(method: string): boolean {
  return withNextTry.has(method)
}

const withNextTry: ReadonlySet<string> = new Set(
  methodTable.flatMap(({ method, params }) => (params?.requestState === undefined ? [] : [method])),
)

/** Revisions are dates, so their texts sort by time. */
export function isWithin([first, last]: readonly [string, string], revision: string): boolean {
  return first <= revision && revision <= last
}
