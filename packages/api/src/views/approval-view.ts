import type { Risk } from "@byleave/core"
import { z } from "zod"
import { epochMs, jsonObject, jsonValue } from "../json.ts"
import { access, accessSource, pinState, sessionRef, targetKind, toolRef, verdictFace } from "./shared-schemas.ts"

export const approvalStatus = z.enum([
  "pending",
  "approved",
  "running",
  "succeeded",
  "failed",
  "unknown",
  "denied",
  "expired",
  "cancelled",
  "superseded",
])

// Named, not inferred: with all its kinds written out for each status, the type of the routes grows too long for the compiler.
export type RiskKindView = Risk["kind"] | "other-program"

const riskKind: z.ZodType<RiskKindView> = z.enum([
  "destructive-verb",
  "outside-workspace",
  "sensitive-file",
  "leaves-folder",
  "shell-metacharacters",
  "unknown-host",
  "new-host",
  "first-use",
  "first-use-by-agent",
  "failed-before",
  "hidden-characters",
  "right-to-left",
  "lookalike-name",
  "lookalike-letters",
  "large-value",
  "secret-like",
  "instruction-like",
  "widens-policy",
  "not-checked",
  "other-program",
])

export const risk = z.object({
  kind: riskKind,
  /** The argument's dotted key; empty for the tool's name, and for the call as a whole. */
  key: z.string(),
  sentence: z.string(),
})

/** A server's own words about its tool: quoted, never ours. */
export const toolWords = z.object({
  title: z.string().nullable(),
  description: z.string().nullable(),
  /** A picture it sent along, as a `data:` address of at most 64 kB; null when there is none, or only an address elsewhere. */
  icon: z.string().nullable(),
  annotations: jsonObject.nullable(),
  inputSchema: jsonObject.nullable(),
})

const vote = z.object({
  reviewer: z.string(),
  groups: z.array(z.string()).readonly(),
  kind: z.enum(["approve", "deny"]),
  digest: z.string(),
  at: epochMs,
  reason: z.string().exactOptional(),
  /** Absent: it was not told. */
  face: verdictFace.exactOptional(),
})

const refusal = z.object({
  by: z.enum(["policy", "reviewer", "timeout", "limit"]),
  code: z.enum([
    "hidden",
    "denied-by-rule",
    "denied-by-grant",
    "definition-rejected",
    "other-program",
    "unattended",
    "denied-by-reviewer",
    "expired",
    "cancelled",
    "superseded",
    "too-many-waiting",
    "too-much-held",
    "denied-too-often",
    "store-unavailable",
  ]),
  reason: z.string(),
})

/** How a call differs, in few values, from one of the same tool and session that was approved before. */
const nearMiss = z.object({
  approval: z.string(),
  differences: z
    .array(z.object({ path: z.string(), before: jsonValue.exactOptional(), after: jsonValue.exactOptional() }))
    .readonly(),
})

/** The fields that lists and cards share. */
const told = z.object({
  id: z.string(),
  version: z.int(),
  kind: targetKind,
  tool: toolRef,
  principal: z.object({ id: z.string(), owner: z.string().exactOptional() }),
  session: sessionRef.extend({ named: z.boolean() }),
  /** The session as events name it. */
  sessionKey: z.string(),
  createdAt: epochMs,
  access,
  /** Null for what is no tool, and where it would be told otherwise today. */
  accessFrom: accessSource.nullable(),
  callDigest: z.string(),
  /** Differs from `callDigest` where a reviewer has changed the arguments. Only a plain no may be bound to it: see `VerdictBody`. */
  runDigest: z.string(),
  fingerprint: z.string(),
  policyVersion: z.string(),
  why: z.string(),
  rule: z.string().nullable(),
  remember: z.enum(["allowed", "never"]),
  needs: z.object({ approvals: z.int(), groups: z.array(z.string()).readonly(), selfApproval: z.boolean() }),
  votes: z.array(vote).readonly(),
  /** Of a call of an agent run: the run, and the model's id of the call. */
  run: z.object({ id: z.string(), toolCall: z.string() }).exactOptional(),
  /** Of a call of an agent run: who started it, `runner NAME` by its token or `reviewer NAME`. */
  starter: z.string().exactOptional(),
  /** Whether a caller is attached; approved without one, it is a permit. */
  callerWaits: z.boolean(),
  /** The connection to its server that it goes over; absent: one that everybody shares. */
  connection: z
    .object({
      /** No other conversation uses it. */
      isOwn: z.boolean(),
      /** The agent tells the server by it which folders to work in, so that a relative path may start anywhere. */
      hasRoots: z.boolean(),
    })
    .exactOptional(),
  rerunOf: z.string().nullable(),
  /** The approval whose change of a file this one takes back. */
  undoOf: z.string().exactOptional(),
  pin: pinState.nullable(),
  /** The weightiest of what there is to check before allowing it. */
  riskLevel: z.enum(["none", "notice", "strong"]).exactOptional(),
})

const held = told.extend({
  /** Null once retention has removed them. */
  args: jsonObject.nullable(),
  /** The same as exact JSON text, where a number in it is one that most JSON readers would round; else null. */
  argsText: z.string().nullable(),
  /** The other params sent to the server with the arguments, such as `_meta`; absent if there are none. */
  extraParams: jsonObject.exactOptional(),
  /** The same as exact JSON text, where that differs. */
  extraParamsText: z.string().exactOptional(),
  /** Params that MCP does not know: the server is not sent them. */
  droppedParams: z.array(z.string()).readonly().exactOptional(),
  editedArgs: jsonObject.nullable(),
  editedArgsText: z.string().nullable(),
  risks: z.array(risk).readonly(),
  /** Null where nothing is known of the tool. */
  definition: toolWords.nullable(),
  /** Only in the answer for a single approval that is pending. */
  nearMiss: nearMiss.exactOptional(),
  /** When the file that it changed was read before it ran. Only in the answer for a single approval that succeeded, where that is kept. */
  readBefore: epochMs.exactOptional(),
  /** Whether a reviewer can have it run now. Only in the answer for a single approval that is approved and that nobody waits for. */
  runNowOffer: z
    .object({
      /** A sentence that says why it cannot be; null: it can. */
      why: z.string().nullable(),
    })
    .exactOptional(),
})

/** A few of a call's arguments, each in a line. */
export const argumentPreview = z
  .array(z.object({ name: z.string(), text: z.string(), isSecret: z.boolean() }))
  .readonly()

const listed = told.extend({
  /** How many bytes of JSON the arguments are. */
  bytes: z.int(),
  /** A few of the arguments, each in a line; null once retention has removed them. */
  preview: argumentPreview.nullable(),
  /** How many warnings there are, and of which kinds; null where none were looked for when the call was held. */
  risks: z.object({ count: z.int(), kinds: z.array(riskKind).readonly() }).nullable(),
})

/** A reviewer had it run while its agent was away; its outcome is kept until then for the agent's identical call. */
const runNow = z.object({ by: z.string(), keptUntil: epochMs }).exactOptional()

const ran = { startedAt: epochMs, settledAt: epochMs, approvedBy: z.string(), runNow }

const pending = { status: z.literal("pending"), expiresAt: epochMs.nullable() }
const approved = {
  status: z.literal("approved"),
  at: epochMs,
  by: z.string(),
  grant: z.string().nullable(),
  /** Null: it does not expire, as a call of an agent run. */
  expiresAt: epochMs.nullable(),
}
const running = {
  status: z.literal("running"),
  startedAt: epochMs,
  approvedBy: z.string(),
  leaseUntil: epochMs,
  cancelAsked: z.boolean(),
  runNow,
}
const succeeded = { status: z.literal("succeeded"), ...ran, delivered: z.boolean() }
const failed = { status: z.literal("failed"), ...ran, delivered: z.boolean() }
const unknown = { status: z.literal("unknown"), ...ran, detail: z.string() }
const denied = { status: z.literal("denied"), settledAt: epochMs, refusal, by: z.string().nullable() }
const expired = { status: z.literal("expired"), settledAt: epochMs }
const cancelled = { status: z.literal("cancelled"), settledAt: epochMs, detail: z.string() }
const superseded = { status: z.literal("superseded"), settledAt: epochMs, detail: z.string() }

/** One held call, whole, and what became of it. */
export const approvalView = z
  .discriminatedUnion("status", [
    held.extend(pending),
    held.extend(approved),
    held.extend(running),
    held.extend({ ...succeeded, result: jsonValue }),
    held.extend({ ...failed, error: jsonValue }),
    held.extend(unknown),
    held.extend(denied),
    held.extend(expired),
    held.extend(cancelled),
    held.extend(superseded),
  ])
  .meta({ id: "Approval" })
export type ApprovalView = z.infer<typeof approvalView>

/** One held call in a list: without its arguments and its result, which may be large. */
export const approvalSummaryView = z
  .discriminatedUnion("status", [
    listed.extend(pending),
    listed.extend(approved),
    listed.extend(running),
    listed.extend(succeeded),
    listed.extend(failed),
    listed.extend(unknown),
    listed.extend(denied),
    listed.extend(expired),
    listed.extend(cancelled),
    listed.extend(superseded),
  ])
  .meta({ id: "ApprovalSummary" })
export type ApprovalSummaryView = z.infer<typeof approvalSummaryView>
