import { type JsonObject, type JsonValue, utf8Length } from "@byleave/core"
import { z } from "zod"
import { WireError } from "../wire/wire-error.ts"

const json: z.ZodType<JsonValue> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
)
const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json)

const toolFilter = z.object({ tool_names: z.array(z.string()).optional(), read_only: z.boolean().optional() })

const mcpTool = z.object({
  type: z.literal("mcp"),
  server_label: z.string().min(1).max(128),
  server_url: z.string().nullish(),
  connector_id: z.string().nullish(),
  tunnel_id: z.string().nullish(),
  server_description: z.string().nullish(),
  allowed_tools: z.union([z.array(z.string()), toolFilter]).nullish(),
  require_approval: z
    .union([z.enum(["always", "never"]), z.object({ always: toolFilter.optional(), never: toolFilter.optional() })])
    .nullish(),
})

const functionTool = z.object({
  type: z.literal("function"),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  description: z.string().nullish(),
  parameters: jsonObject.nullish(),
  strict: z.boolean().nullish(),
})

const toolChoice = z.union([
  z.enum(["auto", "none", "required"]),
  z.object({ type: z.literal("function"), name: z.string() }),
  z.object({ type: z.literal("mcp"), server_label: z.string(), name: z.string().nullish() }),
  z.object({ type: z.literal("allowed_tools"), mode: z.enum(["auto", "required"]), tools: z.array(jsonObject) }),
])

const inputText = z.object({ type: z.enum(["input_text", "output_text", "text"]), text: z.string() })
const refusalText = z.object({ type: z.literal("refusal"), refusal: z.string() })
const inputImage = z.object({ type: z.literal("input_image"), image_url: z.string().nullish() })
const inputFile = z.object({
  type: z.literal("input_file"),
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
  file_id: z.string().nullish(),
  filename: z.string().nullish(),
})
const contentPart = z.discriminatedUnion("type", [inputText, refusalText, inputImage, inputFile])
const content = z.union([z.string(), z.array(contentPart)])

const item = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    id: z.string().nullish(),
    role: z.enum(["user", "assistant", "system", "developer"]),
    content,
  }),
  z.object({ type: z.literal("reasoning"), id: z.string().nullish() }),
  z.object({
    type: z.literal("function_call"),
    id: z.string().nullish(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("function_call_output"),
    id: z.string().nullish(),
    call_id: z.string(),
    output: z.union([z.string(), z.array(contentPart)]),
  }),
  z.object({ type: z.literal("mcp_list_tools"), id: z.string().nullish(), server_label: z.string() }),
  z.object({
    type: z.literal("mcp_approval_request"),
    id: z.string(),
    server_label: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("mcp_approval_response"),
    id: z.string().nullish(),
    approval_request_id: z.string(),
    approve: z.boolean(),
    reason: z.string().nullish(),
  }),
  z.object({
    type: z.literal("mcp_call"),
    id: z.string(),
    server_label: z.string(),
    name: z.string(),
    arguments: z.string(),
    output: z.string().nullish(),
    error: json.nullish(),
    approval_request_id: z.string().nullish(),
  }),
  z.object({ type: z.literal("item_reference"), id: z.string() }),
])

const kilobyte = 1024

/** All of these are kept with the run for as long as it is, and read with it. A `text` may hold the schema of an answer. */
const most = {
  tools: 256 * kilobyte,
  text: 64 * kilobyte,
  metadata: 16 * kilobyte,
  toolChoice: 16 * kilobyte,
  reasoning: 4 * kilobyte,
  identifier: 1 * kilobyte,
} as const

function within(bytes: number): [(value: unknown) => boolean, { message: string }] {
  const words = `It may have ${bytes / kilobyte} kB at the most. Send less`
  return [(value) => utf8Length(JSON.stringify(value)) <= bytes, { message: words }]
}

const identifier = z.string().refine(...within(most.identifier))

const requestBody = z.object({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.preprocess(withType, item))]).nullish(),
  instructions: z.string().max(200_000).nullish(),
  previous_response_id: identifier.nullish(),
  tools: z
    .array(z.discriminatedUnion("type", [mcpTool, functionTool]))
    .max(128)
    .refine(...within(most.tools))
    .nullish(),
  tool_choice: toolChoice.refine(...within(most.toolChoice)).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  background: z.boolean().nullish(),
  store: z.boolean().nullish(),
  metadata: z
    .record(z.string(), z.string())
    .refine(...within(most.metadata))
    .nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_output_tokens: z.number().int().positive().nullish(),
  max_tool_calls: z.number().int().nullish(),
  presence_penalty: z.number().nullish(),
  frequency_penalty: z.number().nullish(),
  top_logprobs: z.number().int().nullish(),
  truncation: z.enum(["auto", "disabled"]).nullish(),
  text: jsonObject.refine(...within(most.text)).nullish(),
  reasoning: jsonObject.refine(...within(most.reasoning)).nullish(),
  service_tier: z.string().nullish(),
  safety_identifier: identifier.nullish(),
  prompt_cache_key: identifier.nullish(),
  user: z.string().nullish(),
  conversation: json.nullish(),
  prompt: json.nullish(),
})

export type ResponsesRequest = Omit<z.infer<typeof requestBody>, "input"> & { readonly input: readonly InputItem[] }
export type InputItem = z.infer<typeof item>
export type InputContent = z.infer<typeof content>
export type RequestedMcpTool = z.infer<typeof mcpTool>
export type RequestedToolFilter = z.infer<typeof toolFilter>

export function parseRequest(body: unknown): ResponsesRequest {
  const parsed = requestBody.safeParse(body)
  if (!parsed.success) throw problemOf(parsed.error)
  const { input, ...rest } = parsed.data
  if (rest.conversation != null || rest.prompt != null) {
    const param = rest.conversation == null ? "prompt" : "conversation"
    throw new WireError(400, `'${param}' is not supported here. Use previous_response_id, or send the items.`, {
      param,
    })
  }
  if (rest.background === true && rest.store === false) {
    throw new WireError(400, "A background response must be stored: leave out store, or set it to true.", {
      param: "store",
    })
  }
  const items =
    typeof input === "string" ? [{ type: "message" as const, role: "user" as const, content: input }] : input
  return { ...rest, input: items ?? [] }
}

/** A message may come without its type. */
function withType(value: unknown): unknown {
  const isMessage = typeof value === "object" && value !== null && !("type" in value) && "role" in value
  return isMessage ? { ...value, type: "message" } : value
}

function problemOf(error: z.ZodError): WireError {
  const [issue] = error.issues
  const path = (issue?.path ?? []).map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("")
  const param = path.replace(/^\./, "") || null
  const where = param === null ? "The body" : `'${param}'`
  return new WireError(400, `Invalid request. ${where}: ${issue?.message ?? "it cannot be read"}.`, { param })
}
