/**
 * A server's address as part of what people accept and approve.
 *
 * I1. The address is a member of each tool's definition, so that another address changes all of them: they wait to be accepted, what waits for them
 *     is superseded, and what was approved is not sent.
 */
import type { ToolDefinition } from "@byleave/core"

/** The member of a definition that this panel writes, whatever the server has there. */
const member = "address"

/** `address` null: they are in this extension, which has none. */
export function toolsAt(tools: readonly ToolDefinition[], address: string | null): readonly ToolDefinition[] {
  return address === null ? tools : tools.map((tool) => ({ ...tool, [member]: address }))
}

/** Null: none is known, so nothing is sent to any. */
export function addressIn(definition: ToolDefinition | undefined): string | null {
  const address = definition?.[member]
  return typeof address === "string" ? address : null
}
