/** A model server that gives every chat completion the same answer at once, streamed word by word where that is asked for. `PORT` says where. */
import { createServer } from "node:http"

const words = "All is well with the files that you asked about, and there is nothing left to do for now. "
const text = words.repeat(3).trim()
const pieces = text.match(/\S+\s*/g) ?? []
const usage = { prompt_tokens: 20, completion_tokens: pieces.length, total_tokens: 20 + pieces.length }
const head = { id: "chatcmpl-1", created: 1, model: "mock" }

const whole = JSON.stringify({
  ...head,
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: text, refusal: null }, finish_reason: "stop" }],
  usage,
})
const chunk = (choices: readonly object[], more: object = {}): string =>
  `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices, ...more })}\n\n`
const streamed = [
  ...pieces.map((content) => chunk([{ index: 0, delta: { role: "assistant", content }, finish_reason: null }])),
  chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
  chunk([], { usage }),
  "data: [DONE]\n\n",
].join("")

createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8")
  request.on("data", (more: string) => {
    body += more
  })
  request.on("end", () => {
    const isStream = body.includes('"stream":true')
    response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" })
    response.end(isStream ? streamed : whole)
  })
}).listen(Number(process.env.PORT), "127.0.0.1")
