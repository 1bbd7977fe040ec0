import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as delay } from "node:timers/promises"
import { anthropic } from "./dialects/anthropic.ts"
import { type Conversation, type Dialect, type Json, object, type Reply } from "./dialects/dialect.ts"
import { gemini } from "./dialects/gemini.ts"
import { openaiChat } from "./dialects/openai-chat.ts"
import { openaiResponses } from "./dialects/openai-responses.ts"

export type ScriptedModel = {
  readonly url: string
  /** All conversations it was sent so far, oldest first. */
  readonly seen: () => readonly Conversation[]
  readonly close: () => Promise<void>
}

const dialects: readonly Dialect[] = [openaiChat, openaiResponses, anthropic, gemini]
const thinkingMs = 250
const longestBody = 32 * 1024 * 1024

/** A model on loopback that knows its next move by the conversation alone, so a client may ask twice. */
export async function startScriptedModel(next: (conversation: Conversation) => Reply): Promise<ScriptedModel> {
  const seen: Conversation[] = []
  const server = createServer((request, response) => {
    answer(request, response, (conversation) => {
      seen.push(conversation)
      return next(conversation)
    }).catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: () => seen,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  next: (conversation: Conversation) => Reply,
): Promise<void> {
  const { pathname } = new URL(request.url ?? "/", "http://model")
  const body = await bodyOf(request)
  const dialect = dialects.find(({ speaks }) => speaks(pathname))
  if (dialect === undefined || request.method !== "POST") return sendJson(response, sideAnswer(pathname))
  await delay(thinkingMs)
  const model = typeof body.model === "string" ? body.model : "scripted"
  const written = dialect.write(next(dialect.read(body)), model)
  if (!dialect.isStreamed(pathname, body)) return sendJson(response, written.whole)
  response.writeHead(200, { "content-type": "text/event-stream" })
  for (const event of written.events) {
    const name = typeof event.type === "string" ? `event: ${event.type}\n` : ""
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(written.end === undefined ? "" : `data: ${written.end}\n\n`)
}

/** What clients ask of a model's service besides answers. */
function sideAnswer(path: string): Json {
  if (/count_?tokens$/i.test(path)) return { input_tokens: 1, totalTokens: 1 }
  if (path.endsWith("/models")) return { object: "list", data: [{ id: "scripted", object: "model" }] }
  return {}
}

function sendJson(response: ServerResponse, value: Json): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value))
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request) {
    size += piece.length
    if (size > longestBody) throw new Error("The request is too large.")
    pieces.push(piece)
  }
  try {
    return object(JSON.parse(Buffer.concat(pieces).toString("utf8")))
  } catch {
    return {}
  }
}
