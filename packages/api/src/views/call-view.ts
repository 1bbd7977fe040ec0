import { z } from "zod"
import { epochMs, jsonObject, pageOf } from "../json.ts"
import { approvalView, argumentPreview, risk } from "./approval-view.ts"
import { auditRecordView } from "./audit-view.ts"
import { effect, sessionRef, targetKind, toolRef } from "./shared-schemas.ts"

export const callOutcome = z.enum([
  "waiting",
  "running",
  "succeeded",
  "failed",
  "unknown",
  "refused",
  "denied",
  "expired",
  "cancelled",
  "superseded",
])

/** Every call that was judged, held or not: what was decided, and what became of it. */
export const callView = z
  .object({
    id: z.string(),
    at: epochMs,
    kind: targetKind,
    tool: toolRef,
    principal: z.string(),
    session: sessionRef,
    /** The session as events name it. */
    sessionKey: z.string(),
    effect,
    /** Why, in a sentence, and the rule or grant that decided. */
    why: z.string(),
    rule: z.string().nullable(),
    /** The reason it was allowed without asking: a rule, a grant, a mode, the default; null if it was asked about or refused. */
    allowedBy: z.enum(["rule", "grant", "mode", "default"]).nullable(),
    /** The held call, when it was held. */
    approval: z.string().nullable(),
    outcome: callOutcome,
    /** The first answer a held call got; `none` where time or its caller was first, or nobody has answered yet. Null where nobody was asked. */
    answer: z.enum(["approved", "denied", "none"]).nullable(),
    /** The reviewer who answered; null when nobody had to. */
    decidedBy: z.string().nullable(),
    /** Words that the reviewer gave with the answer. */
    reason: z.string().nullable(),
    /** Of a failed call: its beginning in the server's own words; null where there are none, or they are no longer kept. */
    failure: z.string().nullable(),
    /** From the question to the answer. */
    decidedAfterMs: z.number().nullable(),
    /** From the start of the run to its end. */
    tookMs: z.number().nullable(),
    /** How many bytes of JSON the arguments are; null once retention has removed them. */
    argsBytes: z.int().nullable(),
    /** A few of the arguments as recorded; null where they are no longer kept, or too long to be looked at for a list. */
    preview: argumentPreview.nullable(),
    /** There when a page made it to show a card: no agent called. */
    forCard: z.literal(true).exactOptional(),
  })
  .meta({ id: "CallView" })
export type CallView = z.infer<typeof callView>

/**
 * Calls, newest first. Only so many are looked through for one page: it may hold fewer than asked for, or none, and still have a next.
 * `lookedTo` is when the oldest call was made that was looked at; null when there is none before it.
 */
export const callsPage = pageOf(callView).extend({ lookedTo: epochMs.nullable() })

const wholeCallView = callView.extend({
  /** Redacted as recorded; null once retention has removed them. */
  args: jsonObject.nullable(),
  /** Whether these are all the arguments, or the beginning of what was too long to be kept. */
  argsAreWhole: z.boolean(),
})

/** A call's whole story: what was recorded of it, oldest first, and the approval if it was held. */
export const storyView = z
  .object({
    call: wholeCallView.meta({ id: "WholeCall" }),
    records: z.array(auditRecordView).readonly(),
    approval: approvalView.nullable(),
  })
  .meta({ id: "Story" })
export type StoryView = z.infer<typeof storyView>

const counted = { calls: z.int() }
const byEffect = { allow: z.int(), ask: z.int(), deny: z.int(), hide: z.int() }

/** Counts over a time, each with what leads to the calls behind it. */
export const insightView = z
  .object({
    since: epochMs,
    until: epochMs,
    /** Of each bar, in milliseconds. */
    step: z.number(),
    byDecision: z.array(z.object({ at: epochMs, ...byEffect })).readonly(),
    /** How long people took: calls up to each bound, in milliseconds; the last is open. */
    timeToDecide: z.object({
      medianMs: z.number().nullable(),
      p95Ms: z.number().nullable(),
      bars: z.array(z.object({ upToMs: z.number().nullable(), ...counted })).readonly(),
    }),
    asked: z.array(z.object({ tool: toolRef, approved: z.int(), denied: z.int(), open: z.int() })).readonly(),
    deciders: z.array(z.object({ reviewer: z.string(), approved: z.int(), denied: z.int() })).readonly(),
    denials: z.array(z.object({ code: z.string(), words: z.string(), ...counted })).readonly(),
    /** The most frequent callers and targets: by agent, by session and by server, the first twenty of each. */
    agents: z.array(z.object({ principal: z.string(), ...byEffect })).readonly(),
    sessions: z.array(z.object({ session: sessionRef, sessionKey: z.string(), ...byEffect })).readonly(),
    servers: z.array(z.object({ server: z.string(), ...byEffect })).readonly(),
    /** Tools whose calls failed most, with the words of the newest failure; null where they are no longer kept. */
    failures: z.array(z.object({ tool: toolRef, words: z.string().nullable(), ...counted })).readonly(),
  })
  .meta({ id: "Insight" })
export type InsightView = z.infer<typeof insightView>

/**
 * The current content of a file that a call would change, read by a tool that policy allows without asking; for Byleave's own
 * configuration, the text as it was accepted last and as it is to be, secrets masked.
 */
export const currentContentView = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      path: z.string(),
      text: z.string(),
      by: toolRef,
      /** Why it may not be the file as it is: the tool may give a part of it; or bytes that are no UTF-8 were replaced. */
      doubt: z.enum(["partial", "not-utf8"]).exactOptional(),
    }),
    z.object({ kind: z.literal("absent"), path: z.string(), by: toolRef }),
    z.object({ kind: z.literal("configuration"), file: z.string(), before: z.string(), after: z.string() }),
    z.object({ kind: z.literal("unavailable"), why: z.string() }),
  ])
  .meta({ id: "CurrentContent" })
export type CurrentContentView = z.infer<typeof currentContentView>

/**
 * The effect of putting a file back: `ready`, the call that is sent and the file's current content; `changed`, that the file is not as the call left
 * it, so nothing is sent; or why it cannot be done.
 */
export const undoView = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("ready"),
      path: z.string(),
      tool: toolRef,
      /** The arguments of the call, the former content among them. */
      args: jsonObject,
      now: z.string(),
      before: z.string(),
      readAt: epochMs,
    }),
    z.object({ kind: z.literal("changed"), path: z.string(), written: z.string(), now: z.string() }),
    z.object({ kind: z.literal("unavailable"), why: z.string() }),
  ])
  .meta({ id: "Undo" })
export type UndoView = z.infer<typeof undoView>

/** A held call with edited arguments, before anybody has sent them. */
export const editPreviewView = z
  .object({
    risks: z.array(risk).readonly(),
    current: currentContentView,
    /** Why policy refuses the call as edited; null: it does not. */
    refused: z.string().nullable(),
  })
  .meta({ id: "EditPreview" })
export type EditPreviewView = z.infer<typeof editPreviewView>
