import { asObject, defaultJsonValues, type JsonObject, readJson, valuesIn } from "@byleave/core"
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai"
import { denied } from "../leg/leg-events.ts"
import { WireError, wireErrors } from "../wire/wire-error.ts"
import type { InputContent, InputItem } from "./request-body.ts"

type ToolResult = Extract<ToolModelMessage["content"][number], { type: "tool-result" }>
type AssistantPart = Exclude<AssistantModelMessage["content"], string>[number]
type UserPart = Exclude<Extract<ModelMessage, { role: "user" }>["content"], string>[number]

export type Said = {
  readonly messages: readonly ModelMessage[]
  /** Of system and developer messages: AI SDK takes them apart from the conversation. */
  readonly instructions: readonly string[]
}

/**
 * Items as messages for a model. Items about earlier calls are context only: nothing runs by them. `toolNamed` gives the model's name for a server's tool;
 * `nameOf` the name of a function by the call's id, where its call is not among the items. Arguments are texts in a request, and values from here on:
 * all of them together have no more than a request may have.
 */
export function messagesOf(
  items: readonly InputItem[],
  toolNamed: (label: string, tool: string) => string,
  functionOf: (call: string) => string | undefined,
): Said {
  const messages: ModelMessage[] = []
  const instructions: string[] = []
  const names = new Map<string, string>()
  const answers = items.filter((item) => item.type === "mcp_approval_response")
  const refused = new Set(answers.flatMap(({ approve, approval_request_id: id }) => (approve ? [] : id)))
  const reasons = new Map(
    answers.toReversed().flatMap(({ reason, approval_request_id: id }) => (reason ? [[id, reason]] : [])),
  )
  const ran = new Set(items.flatMap((item) => (item.type === "mcp_call" ? (item.approval_request_id ?? []) : [])))
  let numbered = 0
  const argumentsOf = argumentsReader(defaultJsonValues)
  const assistant = (part: AssistantPart): void => {
    const last = messages.at(-1)
    if (last?.role === "assistant" && typeof last.content !== "string") last.content.push(part)
    else messages.push({ role: "assistant", content: [part] })
  }
  const result = (part: ToolResult): void => {
    const last = messages.at(-1)
    if (last?.role === "tool") last.content.push(part)
    else messages.push({ role: "tool", content: [part] })
  }
  const called = (name: string, args: string, output: ToolResult["output"]): void => {
    numbered += 1
    const toolCallId = `earlier_${numbered}`
    assistant({ type: "tool-call", toolCallId, toolName: name, input: argumentsOf(args) })
    result({ type: "tool-result", toolCallId, toolName: name, output })
  }
  for (const item of items) {
    switch (item.type) {
      case "message":
        if (item.role === "user") messages.push({ role: "user", content: userContent(item.content) })
        else if (item.role === "assistant") assistant({ type: "text", text: plainText(item.content) })
        else instructions.push(plainText(item.content))
        break
      case "function_call":
        names.set(item.call_id, item.name)
        assistant({
          type: "tool-call",
          toolCallId: item.call_id,
          toolName: item.name,
          input: argumentsOf(item.arguments),
        })
        break
      case "function_call_output": {
        const toolName = names.get(item.call_id) ?? functionOf(item.call_id)
        if (toolName === undefined) {
          throw new WireError(400, `No tool call found for function call output with call_id ${item.call_id}.`, {
            param: "input",
          })
        }
        result({ type: "tool-result", toolCallId: item.call_id, toolName, output: functionOutput(item.output) })
        break
      }
      case "mcp_call":
        called(toolNamed(item.server_label, item.name), item.arguments, callOutput(item))
        break
      case "mcp_approval_request":
        if (refused.has(item.id) && !ran.has(item.id)) {
          const reason = reasons.get(item.id) ?? denied
          called(toolNamed(item.server_label, item.name), item.arguments, { type: "execution-denied", reason })
        }
        break
      default:
        break
    }
  }
  return { messages, instructions }
}

/** Reads texts of arguments, as long as all of them have no more than so many values. One that is none, or unreadable, has no arguments. */
function argumentsReader(most: number): (text: string) => JsonObject {
  let left = most
  return (text) => {
    const read = readJson(text.trim() || "{}", { values: left })
    if (!read.ok && read.problem.code === "too-many-values") throw wireErrors.tooManyArguments(most)
    if (!read.ok) return {}
    left -= valuesIn(text)
    return asObject(read.value) ?? {}
  }
}

function functionOutput(output: Extract<InputItem, { type: "function_call_output" }>["output"]): ToolResult["output"] {
  if (typeof output === "string") return { type: "text", value: output }
  const parts = output.map((part) => {
    if (part.type === "input_image" || part.type === "input_file") {
      const { mediaType, data } = dataOf(part)
      return { type: "file" as const, mediaType, data: { type: "data" as const, data } }
    }
    return { type: "text" as const, text: textOf(part) }
  })
  return { type: "content", value: parts }
}

function callOutput({ output, error }: Extract<InputItem, { type: "mcp_call" }>): ToolResult["output"] {
  if (error == null) return { type: "text", value: output ?? "" }
  return { type: "error-text", value: typeof error === "string" ? error : JSON.stringify(error) }
}

type Part = Exclude<InputContent, string>[number]

function plainText(content: InputContent): string {
  if (typeof content === "string") return content
  return content.map((part) => (part.type === "input_image" || part.type === "input_file" ? "" : textOf(part))).join("")
}

function textOf(part: Exclude<Part, { type: "input_image" | "input_file" }>): string {
  return part.type === "refusal" ? part.refusal : part.text
}

function userContent(content: InputContent): string | UserPart[] {
  if (typeof content === "string") return content
  return content.map((part): UserPart => {
    if (part.type === "input_image" || part.type === "input_file") return { type: "file", ...dataOf(part) }
    return { type: "text", text: textOf(part) }
  })
}

/** Only what the request brings along: an address would be fetched by Byleave, from where it stands. */
function dataOf(part: Extract<Part, { type: "input_image" | "input_file" }>): { mediaType: string; data: string } {
  const source = part.type === "input_image" ? part.image_url : part.file_data
  const [, mediaType, data] = /^data:([\w.+/-]+)(?:;[\w=.-]+)*;base64,([A-Za-z0-9+/=_-]*)$/.exec(source ?? "") ?? []
  if (mediaType === undefined || data === undefined) {
    const field = part.type === "input_image" ? "image_url" : "file_data"
    throw new WireError(400, `'${field}' must be a data: URL in base64. Addresses and file ids are not fetched here.`, {
      param: "input",
    })
  }
  return { mediaType, data }
}
