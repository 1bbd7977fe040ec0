import { z } from "zod"
import { jsonObject, jsonValue } from "./json.ts"

const text = z.string().min(1).max(1_000_000)

const mostPictures = 8
const longestPicture = 6 * 1024 * 1024

/** A picture, its bytes as base64: nothing is fetched. Only some models take them. */
const picture = z.strictObject({
  type: z.literal("file"),
  mediaType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: z
    .string()
    .max(longestPicture)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
  filename: z.string().max(200).exactOptional(),
})

const userPart = z.discriminatedUnion("type", [z.strictObject({ type: z.literal("text"), text }), picture])

/** A message of a conversation; instructions have their own place. */
const message = z.discriminatedUnion("role", [
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      text,
      z
        .array(userPart)
        .min(1)
        .refine((parts) => parts.filter(({ type }) => type === "file").length <= mostPictures, {
          message: `At most ${mostPictures} pictures in one message.`,
        }),
    ]),
  }),
  z.strictObject({
    role: z.literal("assistant"),
    content: z.union([text, z.array(z.strictObject({ type: z.literal("text"), text })).min(1)]),
  }),
])
const messages = z.array(message).min(1).max(1_000)

/** Names of models and servers are those of the configuration. */
const setup = {
  model: z.string().max(200).exactOptional(),
  /** Absent: all servers. */
  servers: z.array(z.string().max(200)).max(200).exactOptional(),
  instructions: z.string().max(200_000).exactOptional(),
}

/** AG-UI's RunAgentInput, as far as it is used; `forwardedProps` may name a `model` and `servers`. */
export const agUiBody = z.looseObject({
  threadId: z.string(),
  runId: z.string(),
  messages: z.array(jsonObject),
  /** As many answers as a run may wait for. */
  resume: z.array(jsonObject).max(256).exactOptional(),
  context: z.array(jsonObject).exactOptional(),
  forwardedProps: jsonValue.exactOptional(),
})

/** The body that AI SDK's `DefaultChatTransport` posts; a page may add `model` and `servers`. */
export const uiChatBody = z.looseObject({
  id: z.string().exactOptional(),
  messages: z.array(jsonObject),
  trigger: z.string().exactOptional(),
  ...{ model: setup.model, servers: setup.servers },
})

const reason = z.string().max(2_000)

export const runDecision = z.strictObject({
  /** Of `pending_requirements`; the tool call's id does as well. */
  requirement_id: z.string(),
  execute: z.boolean(),
  rejection_reason: reason.nullable().exactOptional(),
  /** A reviewer's yes: by `bindVerdict`, from what was shown. Programs send none. */
  digest: z.string().exactOptional(),
})
export type RunDecision = z.output<typeof runDecision>

const decisions = z.array(runDecision).min(1).max(500)

/** Calls as a start or a continue gave them back, with an answer in each. */
const answeredCalls = z.object({
  tool_calls: z
    .array(z.object({ id: z.string(), execute: z.boolean(), rejection_reason: reason.nullable().exactOptional() }))
    .min(1)
    .max(500)
    .exactOptional(),
  /** As the last answer gave it. Good until something happens to the run. */
  session: z.string().nullable().exactOptional(),
})

const mostMetadata = 16 * 1024

/** The starter's own words about the run. */
const metadata = jsonObject.refine((given) => JSON.stringify(given).length <= mostMetadata, {
  message: `At most ${mostMetadata / 1024} kB of JSON. Keep more where you can look it up by a name.`,
})

export const startRunBody = z
  .strictObject({
    /** `chat`: a thread of the chat page. Its calls wait as policy says for chats, and only reviewers start one. */
    principal: z.enum(["run", "chat"]).exactOptional(),
    prompt: text.exactOptional(),
    /** Absent: the first words of the task. */
    title: z.string().trim().min(1).max(200).exactOptional(),
    messages: messages.exactOptional(),
    ...setup,
    maxSteps: z.int().min(1).max(1_000).exactOptional(),
    metadata: metadata.exactOptional(),
    conversation_id: z.string().min(1).max(200).exactOptional(),
    /** With a `session`: that run goes on instead, with these answers. */
    data: answeredCalls.exactOptional(),
  })
  .refine(
    ({ prompt, messages, data }) => data?.session != null || (prompt === undefined) !== (messages === undefined),
    {
      message: "Give either prompt or messages.",
    },
  )
export type StartRunBody = z.output<typeof startRunBody>

export const continueRunBody = z.union([
  decisions,
  z.strictObject({
    decisions: decisions.exactOptional(),
    /** Denies every call that waits, so that the message is heard at once. */
    denyWaiting: z.literal(true).exactOptional(),
    data: answeredCalls.exactOptional(),
    message: text.exactOptional(),
    messages: messages.exactOptional(),
    ...setup,
  }),
])
export type ContinueRunBody = z.output<typeof continueRunBody>

export const renameRunBody = z.strictObject({ title: z.string().trim().min(1).max(200) })

export const exportRunBody = z.strictObject({
  /** How it is packed; gzip for programs that know no zstd. */
  format: z.enum(["zstd", "gzip"]).default("zstd"),
})

export const importRunBody = z.strictObject({
  /** As the export gave it. */
  state: z.string(),
})
