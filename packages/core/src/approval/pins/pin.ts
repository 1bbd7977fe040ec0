import type { EpochMs } from "../../call/call.ts"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"

/**
 * The program of a server is pinned under this name, which is no tool's. While another one waits to be accepted, so does every tool of the server.
 */
export const programPin = "(program)"

/**
 * The accepted definition of one tool, or of a server's instructions, and the server's current one if it differs.
 * `accepted` null: the tool appeared after its server was pinned, and nobody has accepted it yet.
 */
export type Pin = {
  readonly server: string
  /** Empty in the pin of a server itself: a tool without a name is never pinned. */
  readonly tool: string
  /** `server`: the pin of the server itself, that is of its instructions. Absent: of a tool. */
  readonly of?: "server"
  readonly accepted: AcceptedDefinition | null
  /** Of a program: those accepted before, which are no less accepted; the newest first. */
  readonly alsoAccepted?: readonly AcceptedDefinition[]
  /** The newest definition seen, when it is not the accepted one. */
  readonly proposed: ProposedDefinition | null
  /** Definitions that reviewers rejected and that another one has replaced since; the newest first. Absent: there are none. */
  readonly rejectedBefore?: readonly RejectedDefinition[]
  /** A reviewer has hidden it, or the server with all it has, until somebody lifts that. Absent: nobody has. */
  readonly quarantined?: PinAnswer
}

export type AcceptedDefinition = {
  readonly definition: ToolDefinition
  readonly fingerprint: string
  readonly at: EpochMs
  /** The person who accepted it; null: pinned at first sight. */
  readonly by: string | null
}

export type ProposedDefinition = {
  readonly definition: ToolDefinition
  readonly fingerprint: string
  readonly seenAt: EpochMs
  /** A reviewer said no to this very definition. Absent: nobody has answered. */
  readonly rejected?: PinAnswer
}

/** `others`: its fingerprints at the other depths, absent in pins of before: the depth may be set otherwise. */
export type RejectedDefinition = PinAnswer & { readonly fingerprint: string; readonly others?: readonly string[] }

export type PinAnswer = { readonly at: EpochMs; readonly by: string }

/** The subject of a reviewer's answer: a tool, or without `tool` the server itself. */
export type PinRef = { readonly server: string; readonly tool?: string }

/** Whether the definition with this fingerprint is accepted; of a server's programs, several may be. */
export function isAccepted({ accepted, alsoAccepted }: Pin, print: string): boolean {
  return accepted?.fingerprint === print || alsoAccepted?.some((each) => each.fingerprint === print) === true
}

export function isPinOf(pin: Pin, { server, tool }: PinRef): boolean {
  if (pin.server !== server) return false
  return tool === undefined ? pin.of === "server" : pin.of === undefined && pin.tool === tool
}
