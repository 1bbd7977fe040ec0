import { type Dialect, declaredTools, type Json, list, type Reply, text, toolsById } from "./dialect.ts"

const usage = {
  ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
}

/** OpenAI's Responses, which Codex speaks. */
export const openaiResponses: Dialect = {
  speaks: (path) => path.endsWith("/responses"),
  isStreamed: (_, body) => body.stream === true,
  read: (body) => {
    const items = list(body.input)
    const calls = items.filter(({ type }) => type === "function_call")
    const toolOf = toolsById(calls.map(({ call_id, name }) => [call_id, name]))
    const answers = items.filter(({ type }) => type === "function_call_output")
    return {
      ...declaredTools(list(body.tools).flatMap(withoutNamespace)),
      results: answers.map(({ call_id, output }) => ({ tool: toolOf(call_id), text: text(output) })),
    }
  },
  write: (reply, model) => {
    const item = itemOf(reply)
    const response = { id: "resp-1", object: "response", created_at: 1, model, output: [] as Json[] }
    const whole = { ...response, status: "completed", output: [item], usage }
    return {
      events: [
        { type: "response.created", response: { ...response, status: "in_progress" } },
        { type: "response.output_item.added", output_index: 0, item },
        { type: "response.output_item.done", output_index: 0, item },
        { type: "response.completed", response: whole },
      ],
      whole,
    }
  },
}

/** A tool of a namespace bears its name before its own. */
function withoutNamespace(tool: Json): readonly Json[] {
  const { type, name, tools } = tool
  if (type === "namespace") return list(tools).map((each) => ({ ...each, name: `${text(name)}/${text(each.name)}` }))
  return typeof name === "string" ? [tool] : []
}

function itemOf(reply: Reply): Json {
  if (reply.kind === "call") {
    const { id, tool, args } = reply
    const [name = "", space] = tool.split("/").reverse()
    const call = { type: "function_call", id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(args) }
    return { ...call, status: "completed", ...(space === undefined ? {} : { namespace: space }) }
  }
  const content = [{ type: "output_text", text: reply.text, annotations: [] }]
  return { type: "message", id: "msg_1", role: "assistant", status: "completed", content }
}
