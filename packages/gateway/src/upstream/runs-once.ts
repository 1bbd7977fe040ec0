/** Requests that do nothing at the server, so that they may be sent a second time. */
const repeatable: ReadonlySet<string> = new Set([
  "initialize",
  "server/discover",
  "ping",
  "logging/setLevel",
  "tools/list",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "completion/complete",
])

/** Whether a request is sent at most once, whatever the server makes of it: each that may do something, and each that a person approved. */
export function runsOnce(method: string, { once }: { readonly once?: boolean | undefined }): boolean {
  return once === true || !repeatable.has(method)
}
