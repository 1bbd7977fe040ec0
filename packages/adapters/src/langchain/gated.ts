import type { AdapterOptions } from "../call/adapter-options.ts"
import { hiddenTools } from "../call/hidden-tools.ts"
import { type NameAtServer, nameAtServer } from "../call/name-at-server.ts"
import { submitCall } from "../call/submit-call.ts"
import { withNotes } from "../call/tool-value.ts"

/** The argument of LangChain's `createMiddleware({ wrapToolCall })`, as far as it matters here. */
type ToolCallRequest = {
  readonly toolCall: { readonly id?: string; readonly name: string; readonly args: unknown }
  readonly runtime?: { readonly signal?: AbortSignal }
}
type ModelRequest = { readonly tools?: ReadonlyArray<{ readonly name?: unknown }> }
type Message = { content: unknown }

/**
 * `toMessage`: `(fields) => new ToolMessage(fields)` of `@langchain/core/messages`, by which the model is told what we say ourselves.
 */
export type LangChainOptions<ToolMessage> = AdapterOptions & {
  readonly tools: readonly string[] | NameAtServer
  readonly toMessage: (fields: {
    readonly content: string
    readonly tool_call_id: string
    readonly name: string
    readonly status: "success" | "error"
  }) => ToolMessage
}

/** Hooks for `createMiddleware`: these tools ask the gate before they run, and hidden ones are not offered to the model. */
export function gated<ToolMessage extends object>(options: LangChainOptions<ToolMessage>): GatedHooks<ToolMessage> {
  const { tools, toMessage } = options
  const nameOf = nameAtServer(tools)
  return {
    wrapToolCall: async (request, handler) => {
      const { id = "", name: listedName, args } = request.toolCall
      const tool = nameOf(listedName)
      if (tool === undefined) return handler(request)
      const proposed = { tool, input: args, signal: request.runtime?.signal }
      const say = (content: string, status: "success" | "error") =>
        toMessage({ content, tool_call_id: id, name: listedName, status })
      const answer = await submitCall(options, proposed, async (given) => {
        const said = await handler({ ...request, toolCall: { ...request.toolCall, args: given } })
        return { said, isError: "status" in said && said.status === "error", content: contentOf(said) }
      })
      switch (answer.kind) {
        case "ran":
          return noted(answer.value.said, answer.notes)
        case "threw":
          throw answer.thrown
        case "result":
          return say(textOf(withNotes(keptContent(answer.result), answer.notes)), "success")
        case "failed":
          return say(textOf(withNotes(keptContent(answer.error), answer.notes)), "error")
        case "refused":
        case "unknown":
          return say(answer.text, "error")
        case "waiting":
          return say(JSON.stringify(answer.permission), "success")
      }
    },
    wrapModelCall: async (request, handler) => {
      const offered = request.tools ?? []
      const names = offered.flatMap(({ name }) => (typeof name === "string" ? (nameOf(name) ?? []) : []))
      const hidden = await hiddenTools(options, names)
      const isOffered = ({ name }: { readonly name?: unknown }) =>
        typeof name !== "string" || !hidden.has(nameOf(name) ?? "")
      return handler({ ...request, tools: offered.filter(isOffered) })
    },
  }
}

export type GatedHooks<ToolMessage> = {
  readonly wrapToolCall: <Request extends ToolCallRequest, Said extends object>(
    request: Request,
    handler: (request: Request) => Promise<Said> | Said,
  ) => Promise<Said | ToolMessage>
  readonly wrapModelCall: <Request extends ModelRequest, Said>(
    request: Request,
    handler: (request: Request) => Promise<Said> | Said,
  ) => Promise<Said>
}

function contentOf(said: object): unknown {
  return "content" in said ? said.content : null
}

/** The content of a kept message, without its other members; any other kept value is returned unchanged. */
function keptContent(kept: unknown): unknown {
  return typeof kept === "object" && kept !== null && "content" in kept ? kept.content : kept
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content)
}

/** Messages are the host's own objects, so the note goes into the one that was given. */
function noted<Said extends object>(said: Said, notes: readonly string[]): Said {
  if (notes.length > 0 && "content" in said) {
    const message = said as Message
    const note = { type: "text", text: notes.join(" ") }
    message.content = Array.isArray(message.content) ? [...message.content, note] : withNotes(message.content, notes)
  }
  return said
}
