import { type Dialect, declaredTools, type Json, list, object, type Reply, text, toolsById } from "./dialect.ts"

const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

/** OpenAI's chat completions, as many model servers offer them. */
export const openaiChat: Dialect = {
  speaks: (path) => path.endsWith("/chat/completions"),
  isStreamed: (_, body) => body.stream === true,
  read: (body) => {
    const messages = list(body.messages)
    const calls = messages.flatMap(({ tool_calls }) => list(tool_calls))
    const toolOf = toolsById(calls.map((call) => [call.id, object(call.function).name]))
    const answers = messages.filter(({ role }) => role === "tool")
    return {
      ...declaredTools(list(body.tools).map((tool) => object(tool.function))),
      results: answers.map(({ tool_call_id, content }) => ({ tool: toolOf(tool_call_id), text: text(content) })),
    }
  },
  write: (reply, model) => {
    const reason = reply.kind === "call" ? "tool_calls" : "stop"
    const base = { id: "chat-1", created: 1, model }
    const chunk = (delta: Json, finish_reason: string | null): Json => ({
      ...{ ...base, object: "chat.completion.chunk" },
      choices: [{ index: 0, delta, finish_reason }],
    })
    const message = messageOf(reply)
    return {
      events: [
        chunk({ ...message, tool_calls: message.tool_calls?.map((call) => ({ index: 0, ...call })) }, null),
        { ...chunk({}, reason), usage },
      ],
      whole: { ...base, object: "chat.completion", choices: [{ index: 0, message, finish_reason: reason }], usage },
      end: "[DONE]",
    }
  },
}

function messageOf(reply: Reply) {
  if (reply.kind === "text") return { role: "assistant", content: reply.text }
  const { id, tool, args } = reply
  const call = { id, type: "function", function: { name: tool, arguments: JSON.stringify(args) } }
  return { role: "assistant", content: null, tool_calls: [call] }
}
