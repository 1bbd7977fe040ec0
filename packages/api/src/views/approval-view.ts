import { z } from "zod"
import { epochMs, jsonObject, jsonValue } from "../json.ts"
import { access, accessSource, pinState, sessionRef, targetKind, toolRef } from "./shared-schemas.ts"

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

const risk = z.object({
  kind: z.enum([
    "destructive-verb",
    "outside-workspace",
    "shell-metacharacters",
    "unknown-host",
    "hidden-characters",
    "lookalike-name",
    "lookalike-letters",
    "large-value",
    "secret-like",
    "widens-policy",
  ]),
  /** The argument's dotted key; empty for the tool's name, and for the call as a whole. */
  key: z.string(),
  sentence: z.string(),
})

/** What a server says of its tool: quoted words, never ours. */
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
})

const refusal = z.object({
  by: z.enum(["policy", "reviewer", "timeout", "limit"]),
  code: z.enum([
    "hidden",
    "denied-by-rule",
    "denied-by-grant",
    "unattended",
    "denied-by-reviewer",
    "expired",
    "cancelled",
    "superseded",
    "too-many-waiting",
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

const held = z.object({
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
  /** Null once retention has removed them. */
  args: jsonObject.nullable(),
  /** The same as exact JSON text, where a number in it is one that most JSON readers would round; else null. */
  argsText: z.string().nullable(),
  callDigest: z.string(),
  editedArgs: jsonObject.nullable(),
  editedArgsText: z.string().nullable(),
  /** What a verdict must carry: the digest of what is shown. */
  runDigest: z.string(),
  fingerprint: z.string(),
  policyVersion: z.string(),
  why: z.string(),
  rule: z.string().nullable(),
  remember: z.enum(["allowed", "never"]),
  needs: z.object({ approvals: z.int(), groups: z.array(z.string()).readonly(), selfApproval: z.boolean() }),
  votes: z.array(vote).readonly(),
  /** Whether a caller is attached; approved without one, it is a permit. */
  callerWaits: z.boolean(),
  rerunOf: z.string().nullable(),
  risks: z.array(risk).readonly(),
  /** Null where nothing is known of the tool. */
  definition: toolWords.nullable(),
  pin: pinState.nullable(),
  /** Only in the answer for a single approval that is pending. */
  nearMiss: nearMiss.exactOptional(),
})

const ran = { startedAt: epochMs, settledAt: epochMs, approvedBy: z.string() }

/** One held call and what became of it. */
export const approvalView = z
  .discriminatedUnion("status", [
    held.extend({ status: z.literal("pending"), expiresAt: epochMs.nullable() }),
    held.extend({
      status: z.literal("approved"),
      at: epochMs,
      by: z.string(),
      grant: z.string().nullable(),
      expiresAt: epochMs,
    }),
    held.extend({
      status: z.literal("running"),
      startedAt: epochMs,
      approvedBy: z.string(),
      leaseUntil: epochMs,
      cancelAsked: z.boolean(),
    }),
    held.extend({ status: z.literal("succeeded"), ...ran, result: jsonValue, delivered: z.boolean() }),
    held.extend({ status: z.literal("failed"), ...ran, error: jsonValue, delivered: z.boolean() }),
    held.extend({ status: z.literal("unknown"), ...ran, detail: z.string() }),
    held.extend({ status: z.literal("denied"), settledAt: epochMs, refusal, by: z.string().nullable() }),
    held.extend({ status: z.literal("expired"), settledAt: epochMs }),
    held.extend({ status: z.literal("cancelled"), settledAt: epochMs, detail: z.string() }),
    held.extend({ status: z.literal("superseded"), settledAt: epochMs, detail: z.string() }),
  ])
  .meta({ id: "Approval" })
export type ApprovalView = z.infer<typeof approvalView>
