import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

type Calls = ReadonlyArray<readonly [tool: string, args: object]>
type Block = {
  readonly type: string
  readonly tool_use_id?: string
  readonly content?: unknown
  readonly text?: string
}
type Asked = {
  readonly stream?: boolean
  readonly tools?: ReadonlyArray<{ readonly name: string }>
  readonly messages?: ReadonlyArray<{ readonly content: string | readonly Block[] }>
}

/** Anthropic's messages on loopback: the model makes these calls, a list per step, then says that it is done. It knows its step by the results it was sent. */
export async function startScripted(steps: readonly Calls[]) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const body: Asked = JSON.parse(Buffer.concat(pieces).toString() || "{}")
    if (!request.url?.includes("/messages") || request.url.includes("count_tokens")) {
      return response.writeHead(200, { "content-type": "application/json" }).end('{"input_tokens":1}')
    }
    const withTools = (body.tools ?? []).length > 0
    if (withTools) asked.push(body)
    const done = resultsIn(body).length
    const at = steps.findIndex((_, step) => steps.slice(0, step).flat().length === done)
    const calls = withTools ? (steps[at] ?? []) : []
    send(response, body.stream === true, calls, done)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What it was told of its calls, in their order. */
    told: (): string[] =>
      resultsIn(asked.at(-1) ?? {})
        .toSorted((one, other) => (one.tool_use_id ?? "").localeCompare(other.tool_use_id ?? ""))
        .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content))),
    /** Everything it was sent last. */
    sent: (): string => JSON.stringify(asked.at(-1)?.messages),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

function resultsIn({ messages = [] }: Asked): readonly Block[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content))
  return blocks.filter(({ type }) => type === "tool_result")
}

function send(response: import("node:http").ServerResponse, isStreamed: boolean, calls: Calls, done: number): void {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn"
  const message = {
    id: `msg_${done}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    stop_sequence: null,
    usage,
  }
  const uses = calls.map(([name, input], at) => ({ type: "tool_use", id: `toolu_${done}_${at}`, name, input }))
  const content = uses.length > 0 ? uses : [{ type: "text", text: "Done." }]
  if (!isStreamed) {
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ ...message, content, stop_reason }))
    return
  }
  const blocks = content.flatMap((block, index) => [
    {
      type: "content_block_start",
      index,
      content_block: "input" in block ? { ...block, input: {} } : { ...block, text: "" },
    },
    {
      type: "content_block_delta",
      index,
      delta:
        "input" in block
          ? { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
          : { type: "text_delta", text: block.text },
    },
    { type: "content_block_stop", index },
  ])
  const events = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ]
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""))
}
