import { type JsonObject, type JsonValue, toolName } from "@byleave/core"
import { ticketText } from "@byleave/core/told"
import type { AdapterOptions } from "./adapter-options.ts"

/** The answer to a caller that does not wait, in place of a result: no error, and told apart from every result of a tool. */
export type PermissionResult = {
  readonly requiresPermission: true
  readonly isError: false
  readonly permissionRequest: {
    readonly toolName: string
    readonly serverName: string
    readonly permissionType: "tool"
    /** For the model: what waits, and how to come back to it. */
    readonly description: string
    readonly approval: string
  }
}

export function permissionResult(options: AdapterOptions, tool: string, approval: string): PermissionResult {
  const { server, inbox } = options
  const name = toolName({ server, tool })
  return {
    requiresPermission: true,
    isError: false,
    permissionRequest: {
      toolName: tool,
      serverName: server,
      permissionType: "tool",
      description: ticketText(inbox === undefined ? { name } : { name, inbox }),
      approval,
    },
  }
}

/** The same as an MCP result. `structuredContent` is left out: strict clients check it against the tool's schema. */
export function permissionContent(permission: PermissionResult): JsonObject {
  const text = permission.permissionRequest.description
  return { ...(permission as unknown as { [key: string]: JsonValue }), content: [{ type: "text", text }] }
}
