/**
 * The far end of AI SDK's `useChat`: messages and answers come by POST, the run's message goes out as a stream.
 *
 * I1. Of a page's messages only the user's last words and answers to what waits are taken; all else is the run's own.
 * I2. New words are refused while a call of the run waits.
 */
import { type AgentRun, asObject, type JsonObject, listAt, textAt } from "@byleave/core"
import { UI_MESSAGE_STREAM_HEADERS } from "ai"
import type { RunsRefusal } from "../runs.ts"
import { conveyDecisions, legThatAsked, waitsWords } from "./convey-decisions.ts"
import { eventStream } from "./event-stream.ts"
import { findRun, withThread } from "./find-run.ts"
import type { FrontCaller, FrontPorts } from "./front-ports.ts"
import { refusalWords } from "./refusal-words.ts"
import { runOfMessage } from "./run-turns.ts"
import { type UiStreamOptions, uiMessageStream } from "./ui-message-stream.ts"
import { decisionsIn } from "./ui-messages.ts"
import { newInput, readBody } from "./user-input.ts"

/** Answers a POST of `DefaultChatTransport`: begins a run, goes on with one, or conveys answers. */
export async function answerUiChat(ports: FrontPorts, request: Request, caller: FrontCaller): Promise<Response> {
  const read = await readBody(request)
  if (read === null) return problem(400, "The body is not a chat: messages are missing.")
  const { body, messages } = read
  const input = newInput(messages, (message) => listAt(message, "parts") ?? [])
  if (!input.ok) return problem(400, input.problem)
  const thread = textAt(body, "id")
  const own = messages.flatMap((message) => runOfMessage(textAt(asObject(message), "id") ?? "") ?? [])
  const run = await findRun(ports, caller, { thread, ids: [own.at(-1)] })
  const { signal } = request
  if (run === undefined) {
    if (input.messages.length === 0) return problem(404, "There is no such run.")
    const order = await ports.orderFor(wishIn(body), caller)
    if ("problem" in order) return problem(400, order.problem)
    const started = await ports.runs.start({ ...withThread(order, thread), messages: input.messages }, caller.starter)
    return started.ok ? stream(ports, started.run.id, { signal }) : refused(started.refusal)
  }
  if (textAt(body, "trigger") === "regenerate-message") return goOn(ports, run, [], caller, signal)
  if (input.messages.length > 0) return goOn(ports, run, input.messages, caller, signal)
  const decisions = decisionsIn(messages)
  const after = await legThatAsked(ports, run, decisions)
  const unanswered = await conveyDecisions(ports, run, decisions, caller)
  // A yes that does not count leaves the page with nothing to do but wait for the reviewer who decides.
  return stream(ports, run.id, { after, wait: unanswered.length > 0, unanswered, signal })
}

/** Answers a page that comes back: the agent's last message from its beginning, and everything that follows. */
export async function reopenUiChat(
  ports: FrontPorts,
  id: string,
  caller: FrontCaller,
  options: Pick<UiStreamOptions, "wait" | "signal"> = {},
): Promise<Response> {
  const run = await findRun(ports, caller, { thread: id, ids: [] })
  return run === undefined ? new Response(null, { status: 204 }) : stream(ports, run.id, options)
}

async function goOn(
  ports: FrontPorts,
  run: AgentRun,
  messages: Parameters<FrontPorts["runs"]["go"]>[1]["messages"] & object,
  caller: FrontCaller,
  signal: AbortSignal,
): Promise<Response> {
  const waiting = await ports.runs.waitsFor(run)
  if (waiting.length > 0) return problem(409, waitsWords(waiting))
  const gone = await ports.runs.go(run.id, { messages }, caller.starter.id)
  return gone.ok ? stream(ports, run.id, { signal }) : refused(gone.refusal)
}

export function wishIn(body: JsonObject | undefined): {
  readonly model?: string
  readonly servers?: readonly string[]
} {
  const model = textAt(body, "model")
  const servers = listAt(body, "servers")?.filter((name) => typeof name === "string")
  return { ...(model === undefined ? {} : { model }), ...(servers === undefined ? {} : { servers }) }
}

function stream(ports: FrontPorts, run: string, options: UiStreamOptions): Response {
  const { keepAliveMs } = ports
  const headers = { ...UI_MESSAGE_STREAM_HEADERS, "byleave-run": run }
  return eventStream(uiMessageStream(ports, run, options), { keepAliveMs, headers, last: "[DONE]" })
}

function refused(refusal: RunsRefusal): Response {
  return problem(refusal.code === "run-not-found" ? 404 : 409, refusalWords(refusal))
}

/** `useChat` shows the text of a response that is no stream as its error. */
function problem(status: number, words: string): Response {
  return new Response(words, { status, headers: { "content-type": "text/plain; charset=utf-8" } })
}
