/** Answers what a server asks over one connection: no more than may be open, and no more than it takes (peer I2, I3). */
import type { Reply, RequestMessage, ResponseMessage } from "../wire/message.ts"
import { createOpenQuestions, tooManyQuestions } from "../wire/question-limits.ts"
import type { Channel } from "./channel.ts"
import { pong, unasked } from "./peer-messages.ts"

/** `about`: the request on whose stream it came, where the transport can tell. */
type AnswerQuestion = (message: RequestMessage, about: number | undefined) => Promise<void>

/** Of answers that the server has not taken yet. */
const mostUntaken = 64

/** `whomToAsk`: null if it may not be asked, or nobody is there to be. */
export function createAnswerQuestion(
  tell: Channel["tell"],
  whomToAsk: (message: RequestMessage, about: number | undefined) => Promise<Reply> | null,
): AnswerQuestion {
  const questions = createOpenQuestions()
  let untaken = 0

  async function answerFrom(message: RequestMessage, about: number | undefined): Promise<Reply> {
    const answered = questions.begin(message, message.id)
    if (answered === null) return tooManyQuestions
    try {
      const asked = whomToAsk(message, about)
      return asked === null ? unasked(message.method) : await asked
    } catch {
      return { kind: "error", error: { code: -32603, message: "The client could not be asked." } }
    } finally {
      answered()
    }
  }

  return async (message, about) => {
    if (untaken >= mostUntaken) return
    const reply = message.method === "ping" ? pong : await answerFrom(message, about)
    const { id } = message
    const response: ResponseMessage =
      reply.kind === "result"
        ? { jsonrpc: "2.0", id, result: reply.result }
        : { jsonrpc: "2.0", id, error: reply.error }
    if (untaken >= mostUntaken) return
    untaken += 1
    // A server that is gone needs no answer.
    await tell(response).catch(() => {})
    untaken -= 1
  }
}
