import { z } from "zod"
import { epochMs, jsonObject, jsonValue } from "../json.ts"
import { problem } from "../problem.ts"
import { approvalSummaryView } from "./approval-view.ts"
import { toolRef } from "./shared-schemas.ts"

export const runStatus = z.enum(["running", "paused", "finished", "failed", "cancelled"])

const usage = z.object({ input: z.int(), output: z.int(), total: z.int() })

/** A call that the run waits for, by the ids that decisions may name it by. */
const requirement = z.object({
  /** The id of its approval; where policy stopped asking about it, the tool call's. */
  id: z.string(),
  toolCall: z.string(),
  tool: toolRef,
  /** Null where policy stopped asking about it: it is judged again when the run goes on. */
  approval: z.string().nullable(),
})

const facts = z.object({
  id: z.string(),
  /** Goes up by one with every change. */
  version: z.int(),
  /** Calls of the run are made by this principal, in a session that has the run's id. */
  principal: z.enum(["run", "chat"]),
  /** The key of that session, as sessions and approvals give it. */
  sessionKey: z.string(),
  startedBy: z.object({ kind: z.enum(["reviewer", "runner"]), id: z.string() }),
  createdAt: epochMs,
  updatedAt: epochMs,
  /** The first words of the task. */
  title: z.string(),
  model: z.string(),
  servers: z.array(z.string()).readonly(),
  maxSteps: z.int(),
  /** How often it began or went on, and how many answers models gave. */
  legs: z.int(),
  steps: z.int(),
  usage,
  /** Of its messages, results and settings, with what their values count for. */
  bytes: z.int(),
})

const running = { status: z.literal("running") }
const paused = {
  status: z.literal("paused"),
  pausedAt: epochMs,
  /** How many calls it paused for; some may be answered. */
  waitsFor: z.int(),
}
const finished = { status: z.literal("finished"), endedAt: epochMs }
const failed = {
  status: z.literal("failed"),
  endedAt: epochMs,
  /** Continuing may help: nothing that ran runs again. */
  retryable: z.boolean(),
  detail: z.string(),
  /** The person who stopped it; null: it failed by itself. */
  stoppedBy: z.string().nullable(),
}
const cancelled = {
  status: z.literal("cancelled"),
  endedAt: epochMs,
  by: z.string().nullable(),
  detail: z.string(),
  /** It was exported: it goes on wherever that state is imported. */
  wasExported: z.boolean(),
}

/** An agent run and how it stands, for lists and streams: without what its starter sent. */
export const runSummaryView = z
  .discriminatedUnion("status", [
    facts.extend(running),
    facts.extend(paused),
    facts.extend(finished),
    facts.extend(failed),
    facts.extend(cancelled),
  ])
  .meta({ id: "RunSummary" })
export type RunSummaryView = z.infer<typeof runSummaryView>

const wholeFacts = facts.extend({
  instructions: z.string().nullable(),
  /** The starter's own words about the run, as they were given. */
  metadata: jsonObject.nullable(),
})

/** An agent run and how it stands. */
export const runView = z
  .discriminatedUnion("status", [
    wholeFacts.extend(running),
    /** The first 500 calls it paused for. */
    wholeFacts.extend({ ...paused, requirements: z.array(requirement).readonly() }),
    wholeFacts.extend(finished),
    wholeFacts.extend(failed),
    wholeFacts.extend(cancelled),
  ])
  .meta({ id: "Run" })
export type RunView = z.infer<typeof runView>

/** A configured model. */
export const modelView = z.object({
  name: z.string(),
  /** The provider's name of it; null where it cannot be used. */
  model: z.string().nullable(),
  provider: z.enum(["openai", "anthropic", "google", "openai-compatible", "scripted"]).nullable(),
  /** Why it cannot be used and what to do; null: it can. */
  problem: z.string().nullable(),
  /** Whether messages to it may hold pictures. */
  images: z.boolean(),
})
export type ModelView = z.infer<typeof modelView>

/** A run with what it waits for and what it said last. */
export const runDetailsView = z.object({
  run: runView,
  /** Of a paused run the first 500, in the order the model proposed the calls; each with its approval as it stands now. */
  requirements: z
    .array(requirement.extend({ approval: approvalSummaryView.nullable(), isAnswered: z.boolean() }))
    .readonly(),
  /** The model's text in the newest leg; empty until the leg has ended. */
  text: z.string(),
})
export type RunDetailsView = z.infer<typeof runDetailsView>

/** The answer to a start and to a continue, in the words of programs that know paused runs from elsewhere. */
export const runAnswerView = z.object({
  run_id: z.string(),
  /** As it was given with the start, or the run's id. */
  conversation_id: z.string(),
  status: runStatus,
  /** The model's text in the newest leg; empty until the leg has ended. */
  text: z.string(),
  data: z.object({
    /** The calls that wait; send them back with `execute` set to answer. */
    tool_calls: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          input: jsonObject,
          execute: z.boolean(),
          rejection_reason: z.string().nullable(),
        }),
      )
      .readonly(),
    /** A paused run, sealed; of one that is not paused, or would be more than a megabyte, its id. Send it back with the answers. */
    session: z.string(),
  }),
  needs_approval: z.boolean(),
  has_pending_approvals: z.boolean(),
  /** The run is over, and not to be continued but by another message. */
  is_complete: z.boolean(),
  /** The same, where it is sealed. */
  paused_run_state: z.string().nullable(),
  pending_requirements: z
    .array(
      z.object({
        requirement_id: z.string(),
        tool_call_id: z.string(),
        /** `server(tool)` */
        tool_name: z.string(),
        tool_args: jsonObject,
        why: z.string(),
      }),
    )
    .readonly(),
  /** The result of each decision of this request, in order. */
  decisions: z
    .array(
      z.discriminatedUnion("ok", [
        z.object({ ok: z.literal(true), requirement_id: z.string() }),
        z.object({ ok: z.literal(false), requirement_id: z.string(), problem }),
      ]),
    )
    .readonly()
    .exactOptional(),
  /** Why a failed or cancelled run is over; null otherwise. */
  detail: z.string().nullable(),
  usage: z.object({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }),
  metadata: jsonObject,
})
export type RunAnswerView = z.infer<typeof runAnswerView>

/** A run that was taken away. */
export const exportedRunView = z.object({
  /** Names the state, which is good for one import. */
  id: z.string(),
  state: z.string(),
})

/** Words that may be long: cut where `isCut` says so. */
const words = { text: z.string(), isCut: z.boolean() }

const storyFacts = z.object({ seq: z.int(), at: epochMs })

/** One turn of a run's story. Calls are known by `toolCall`. */
export const storyItemView = z.discriminatedUnion("kind", [
  storyFacts.extend({
    kind: z.literal("message"),
    role: z.enum(["user", "assistant", "system", "tool"]),
    ...words,
    /** Pictures that came with it; `GET /api/runs/:id/pictures/:seq/:nth` has their bytes. Absent: none did. */
    pictures: z
      .array(z.object({ nth: z.int(), name: z.string(), mediaType: z.string(), bytes: z.int() }))
      .readonly()
      .exactOptional(),
  }),
  storyFacts.extend({
    kind: z.literal("answer"),
    leg: z.int(),
    step: z.int(),
    ...words,
    reasoning: z.string(),
    isReasoningCut: z.boolean(),
    calls: z
      .array(
        z.object({
          toolCall: z.string(),
          /** The name by which the model calls the tool. */
          name: z.string(),
          /** As the model wrote them. */
          argsText: z.string(),
          isCut: z.boolean(),
        }),
      )
      .readonly(),
    usage,
  }),
  storyFacts.extend({
    kind: z.literal("outcome"),
    toolCall: z.string(),
    outcome: z.enum(["result", "error", "unknown", "refusal"]),
    ...words,
    /** The approval by which it ran or did not; null where nobody was asked. */
    approval: z.string().nullable(),
  }),
  /** The leg ended, in a pause or for good. */
  storyFacts.extend({ kind: z.literal("leg-ended"), leg: z.int() }),
])
export type StoryItemView = z.infer<typeof storyItemView>

/** A picture of a message. */
export const runPictureView = z.object({ mediaType: z.string(), /** Base64. */ data: z.string() })
export type RunPictureView = z.infer<typeof runPictureView>

/** Told while a leg goes on. */
export const runPartView = z.discriminatedUnion("type", [
  z.object({ type: z.literal("step-started") }),
  z.object({ type: z.literal("text"), id: z.string(), delta: z.string() }),
  z.object({ type: z.literal("reasoning"), id: z.string(), delta: z.string() }),
  z.object({ type: z.literal("tool-call"), toolCall: z.string(), name: z.string(), args: jsonValue }),
  z.object({ type: z.literal("tool-asked"), toolCall: z.string(), why: z.string() }),
  z.object({ type: z.literal("tool-result"), toolCall: z.string(), text: z.string() }),
  z.object({ type: z.literal("tool-error"), toolCall: z.string(), text: z.string() }),
  z.object({ type: z.literal("tool-denied"), toolCall: z.string(), reason: z.string() }),
  z.object({ type: z.literal("step-ended"), usage }),
])
export type RunPartView = z.infer<typeof runPartView>

/** One line of `GET /api/runs/:id/events`. */
export const runEventView = z.discriminatedUnion("type", [
  /** How the run stands; first on every stream, and after every change. */
  z.object({ type: z.literal("state"), run: runSummaryView }),
  z.object({ type: z.literal("part"), leg: z.int(), part: runPartView }),
  /** The model failed and is asked again. */
  z.object({ type: z.literal("retry"), leg: z.int(), attempt: z.int() }),
  z.object({ type: z.literal("leg-ended"), leg: z.int() }),
  /** The run was deleted; nothing follows. */
  z.object({ type: z.literal("removed") }),
])
export type RunEventView = z.infer<typeof runEventView>
