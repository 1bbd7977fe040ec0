import type { EpochMs, Principal, Session } from "../../call/call.ts"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { Remembered } from "../rules/remembered.ts"
import type { Access, Effect, Mode, Rule, TargetKind } from "../rules/rule.ts"

export type Target = { readonly server: string; readonly kind: TargetKind; readonly name: string }

/**
 * Whether a tool's definition is the one that was accepted. `rejected`: a reviewer said no to what it is now. `quarantined`: a reviewer
 * has hidden it, or its server. `unpinned`: its server has `pin: off`.
 */
export type PinState = "accepted" | "changed" | "new" | "rejected" | "quarantined" | "unpinned"

/** The source of a tool's access; only the first two count for rules by access on an untrusted server. */
export type AccessSource = "classify" | "annotation" | "name" | "default"

/** The known facts about a tool, computed once per definition by `toolFacts`. */
export type ToolFacts = {
  readonly definition: ToolDefinition | null
  readonly fingerprint: string
  readonly pin: PinState
  readonly access: Access
  readonly accessFrom: AccessSource
  /** False where `read` is only a label: no allow by access may rest on it. */
  readonly accessCounts: boolean
  /** Problems of arguments against the tool's schema; absent when the schema is unknown. */
  readonly check?: (args: JsonObject) => readonly string[]
}

/** The recent activity of this session, and otherwise of its principal in all its sessions, as far as limits need it. */
export type Usage = {
  readonly autoAllowedInSession: number
  readonly autoAllowedInDay: number
  readonly autoAllowedInMinute: number
  /** Allowed writes within `limits.bulk.withinMs`. */
  readonly writesInWindow: number
  /** The end of a running cool-down. */
  readonly coolDownUntil: EpochMs | null
}

export type JudgedSession = { readonly mode: Mode; readonly usage: Usage }

/** Everything a decision depends on besides the policy. */
export type Question = {
  readonly target: Target
  /** Undefined when only the listing is judged: conditions then cannot hold. */
  readonly args: JsonObject | undefined
  readonly tool: ToolFacts | undefined
  readonly principal: Principal
  readonly session: Session
  /** Of the agent run whose call it is, by `starterName`. */
  readonly starter?: string | undefined
  readonly state: JudgedSession
  readonly now: EpochMs
  /** A reviewer has put the server as a whole in quarantine; of a tool, `tool.pin` says it. */
  readonly isQuarantined?: boolean
  /** True if a target that is not a tool comes from a program other than the accepted one; for a tool, `tool.pin` says it. */
  readonly isOtherProgram?: boolean
  /** The agent tells the server which folders to work in: a relative path may start anywhere. */
  readonly hasRoots?: boolean
}

export type LimitName = "autoAllowedPerSession" | "autoAllowedPerDay" | "autoAllowedPerMinute" | "coolDown" | "bulk"

/** The reason for a decision. */
export type Because =
  | { readonly kind: "rule"; readonly rule: Rule }
  | { readonly kind: "grant"; readonly grant: Remembered }
  | { readonly kind: "default" }
  | { readonly kind: "offer"; readonly server: string }
  /** A method beyond MCP's own that the policy does not name. */
  | { readonly kind: "unknown-method" }
  /** A rule whose condition could not be judged; `why` says what was missing. */
  | { readonly kind: "unjudged"; readonly rule: Rule; readonly why: string }
  /** An allow that a pin keeps from counting, or a reviewer's no to what a tool has become. */
  | { readonly kind: "pin"; readonly pin: Exclude<PinState, "accepted" | "unpinned"> | "other-program" }
  | { readonly kind: "limit"; readonly limit: LimitName }
  /** The mode turned an ask into this; `instead` is what would have asked. */
  | { readonly kind: "mode"; readonly mode: Mode; readonly instead: Because }
  /** Not a tool, and no rule: such traffic passes. */
  | { readonly kind: "passes" }
  /** The same, where a cool-down begins with it: it is recorded. */
  | { readonly kind: "starts-cool-down" }
  /** Policy allows it; the starter of the agent run wants to be asked first. */
  | { readonly kind: "requested" }

export type Decision = {
  readonly effect: Effect
  readonly because: Because
  /** "never": neither page, terminal nor API may offer more than once. */
  readonly remember: "allowed" | "never"
  /** Different reviewers needed; 1 unless a rule asks for more. */
  readonly approvals: number
  /** Groups the reviewers must come from; empty: anyone. */
  readonly reviewers: readonly string[]
  /** In `observe`: this ran, and would have asked. */
  readonly wouldAsk: boolean
  /** How long it may wait when it asks; null is for ever. */
  readonly wait: number | null
}
