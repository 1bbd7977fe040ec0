import { all, legacy, type MethodRow, modern, newestLegacyOnly } from "./method-row.ts"

/** The rows of what servers send. */
export const serverMethods: readonly MethodRow[] = [
  // Requests of servers, to clients that declared the ability. A modern server asks the same three things in its results.
  { method: "ping", from: "server", form: "request", handling: "here", revisions: legacy },
  {
    method: "sampling/createMessage",
    from: "server",
    form: "request",
    handling: "judged",
    revisions: legacy,
    judgedAs: ["sampling"],
  },
  {
    method: "elicitation/create",
    from: "server",
    form: "request",
    handling: "judged",
    revisions: legacy,
    judgedAs: ["elicitation"],
  },
  { method: "roots/list", from: "server", form: "request", handling: "judged", revisions: legacy, judgedAs: ["roots"] },
  {
    method: "tasks/get",
    from: "server",
    form: "request",
    handling: "relayed",
    revisions: newestLegacyOnly,
  },
  {
    method: "tasks/result",
    from: "server",
    form: "request",
    handling: "relayed",
    revisions: newestLegacyOnly,
  },
  {
    method: "tasks/cancel",
    from: "server",
    form: "request",
    handling: "relayed",
    revisions: newestLegacyOnly,
  },
  {
    method: "tasks/list",
    from: "server",
    form: "request",
    handling: "relayed",
    revisions: newestLegacyOnly,
  },

  // Notifications of servers. They go to the client whole: a client is told, and decides nothing for anyone else.
  { method: "notifications/cancelled", from: "server", form: "notification", handling: "here", revisions: all },
  { method: "notifications/progress", from: "server", form: "notification", handling: "relayed", revisions: all },
  { method: "notifications/message", from: "server", form: "notification", handling: "relayed", revisions: all },
  {
    method: "notifications/tools/list_changed",
    from: "server",
    form: "notification",
    handling: "relayed",
    revisions: all,
  },
  {
    method: "notifications/prompts/list_changed",
    from: "server",
    form: "notification",
    handling: "relayed",
    revisions: all,
  },
  {
    method: "notifications/resources/list_changed",
    from: "server",
    form: "notification",
    handling: "relayed",
    revisions: all,
  },
  {
    method: "notifications/resources/updated",
    from: "server",
    form: "notification",
    handling: "judged",
    revisions: all,
    judgedAs: ["resource"],
  },
  {
    method: "notifications/elicitation/complete",
    from: "server",
    form: "notification",
    handling: "judged",
    revisions: newestLegacyOnly,
    judgedAs: ["elicitation"],
  },
  {
    method: "notifications/tasks/status",
    from: "server",
    form: "notification",
    handling: "relayed",
    revisions: newestLegacyOnly,
  },
  {
    method: "notifications/subscriptions/acknowledged",
    from: "server",
    form: "notification",
    handling: "here",
    revisions: modern,
  },
  { method: "notifications/tasks", from: "server", form: "notification", handling: "dropped", revisions: modern },
]
