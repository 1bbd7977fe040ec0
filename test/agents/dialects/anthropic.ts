import { type Dialect, declaredTools, type Json, list, type Reply, text, toolsById } from "./dialect.ts"

const usage = { input_tokens: 1, output_tokens: 1 }

/** Anthropic's messages, which Claude Code speaks. */
export const anthropic: Dialect = {
  speaks: (path) => path.endsWith("/messages"),
  isStreamed: (_, body) => body.stream === true,
  read: (body) => {
    const blocks = list(body.messages).flatMap(({ content }) => list(content))
    const calls = blocks.filter(({ type }) => type === "tool_use")
    const toolOf = toolsById(calls.map(({ id, name }) => [id, name]))
    const answers = blocks.filter(({ type }) => type === "tool_result")
    return {
      ...declaredTools(list(body.tools)),
      results: answers.map(({ tool_use_id, content }) => ({ tool: toolOf(tool_use_id), text: text(content) })),
    }
  },
  write: (reply, model) => {
    const stop_reason = reply.kind === "call" ? "tool_use" : "end_turn"
    const message = { id: "msg_1", type: "message", role: "assistant", model, stop_sequence: null, usage }
    const { empty, delta, full } = blockOf(reply)
    return {
      events: [
        { type: "message_start", message: { ...message, content: [], stop_reason: null } },
        { type: "content_block_start", index: 0, content_block: empty },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
        { type: "message_stop" },
      ],
      whole: { ...message, content: [full], stop_reason },
    }
  },
}

function blockOf(reply: Reply): { readonly empty: Json; readonly delta: Json; readonly full: Json } {
  if (reply.kind === "text") {
    const { text: said } = reply
    return {
      empty: { type: "text", text: "" },
      delta: { type: "text_delta", text: said },
      full: { type: "text", text: said },
    }
  }
  const block = { type: "tool_use", id: reply.id, name: reply.tool }
  return {
    empty: { ...block, input: {} },
    delta: { type: "input_json_delta", partial_json: JSON.stringify(reply.args) },
    full: { ...block, input: reply.args },
  }
}
