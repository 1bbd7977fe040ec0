import type { Call, CallerGate, JsonObject, Principal, ToolDefinition } from "@byleave/core"

/** How an agent's program asks the gate: in the same process (`createGate`) or at a running service (`createRemoteGate`). */
export type AdapterOptions = {
  readonly gate: Pick<CallerGate, "submit" | "cancel" | "judge" | "seeTools" | "offeredTools">
  /** The id that policy knows these tools' server by. */
  readonly server: string
  readonly principal: Principal
  /** The scope of "for this session", such as the id of a chat thread. Absent: the principal alone. */
  readonly session?: string
  /** How long a call that needs approval waits, in milliseconds; false: not at all. Absent or true: as long as it takes. */
  readonly wait?: boolean | number
  /** Where people decide, told to the model where it helps. */
  readonly inbox?: string
}

/** A call in the words of the gate. `definition`: the tool as its server lists it, where the host says so. */
export function callFor(
  { server, principal, session }: Pick<AdapterOptions, "server" | "principal" | "session">,
  tool: string,
  args: JsonObject,
  more: { readonly definition?: ToolDefinition | undefined; readonly extraParams?: JsonObject | undefined } = {},
): Call {
  const { definition, extraParams } = more
  return {
    tool: { server, tool },
    args,
    principal,
    session: { principal: principal.id, id: session ?? principal.id, named: session !== undefined },
    ...(definition === undefined ? {} : { listed: { definition } }),
    ...(extraParams === undefined || Object.keys(extraParams).length === 0 ? {} : { extraParams }),
  }
}
