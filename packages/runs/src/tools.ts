import type { Call, JsonObject, RunContext, RunOutcome, Session, ToolRef } from "@byleave/core"

/** A tool as a run offers it to its model. */
export type OfferedTool = {
  readonly ref: ToolRef
  /** The name for models: unique in the run, letters, digits, `_` and `-`, at most 64. */
  readonly name: string
  readonly description?: string
  readonly inputSchema: JsonObject
  /** The definition that its server lists, for the judgement of calls. */
  readonly listed?: Call["listed"]
}

/** Where the tools of servers come from. The gate decides which calls run; this only lists tools and carries calls out. */
export type ToolSource = {
  /**
   * The tools of these servers as agents may be told of them. A server that cannot be reached, or does not answer, has none, and `unreachable` says so.
   * `needed`: servers with calls that people have answered, which are worth waiting for.
   */
  readonly list: (
    servers: readonly string[],
    who: Pick<Call, "principal" | "session">,
    needed?: readonly string[],
  ) => Promise<OfferedTools>
  /** How often what calls of this session may do has changed so far; absent: it does not change. */
  readonly changes?: (session: Session) => number
  /** Sends a call to its server, with the arguments that may run. Rejecting means nobody can tell what happened. */
  readonly call: (call: Call, args: JsonObject, context: SendContext) => Promise<RunOutcome>
}

/** `changes`: as they were before the call was judged. If there are more by the time it is sent, it is judged again. */
export type SendContext = RunContext & { readonly changes?: number }

export type OfferedTools = {
  readonly tools: readonly OfferedTool[]
  readonly unreachable: readonly { readonly server: string; readonly detail: string }[]
}
