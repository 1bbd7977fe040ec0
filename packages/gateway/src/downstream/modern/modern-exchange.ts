/**
 * A modern request that may outlive the message that made it. A server's question answers that message with `input_required`
 * and parks the exchange; the client's next message, with the answers, takes its place. The reply goes to whichever message
 * is open when it comes, or waits for the next.
 */

import { asObject, type JsonObject, memberAt } from "@byleave/core"
import { errorMessage, replyMessage } from "../../wire/errors.ts"
import type { Exchange } from "../../wire/exchange.ts"
import type { Ask, Reply, RequestId, RpcError } from "../../wire/message.ts"
import { withOwn } from "../../wire/names/twin-names.ts"
import { cannotAskHere, exchangeOver, unanswered } from "../../wire/not-asked.ts"
import { makeExchange, type Withdrawal } from "../make-exchange.ts"
import type { ReplyStream } from "../reply-stream.ts"

export type Leg = { readonly id: RequestId; readonly outlet: ReplyStream }

export type ModernExchange = {
  readonly exchange: Exchange & Withdrawal
  /** The digest of its request; the next message must ask for the same. */
  readonly digest: string
  readonly isParked: () => boolean
  /** The next message of the same ask, with the client's answers by key. */
  readonly rebind: (leg: Leg, answers: JsonObject | undefined) => void
  readonly settle: (reply: Reply) => void
  /** The message's connection closed before its reply; a message that was answered does not matter any more. */
  readonly closed: (leg: Leg) => void
  /** No client will answer any more; a running call may still end, and its reply be written. */
  readonly drop: () => void
  readonly giveUp: () => void
}

type Question = { readonly ask: Ask; readonly settle: (reply: Reply) => void }

export type ModernParts = Pick<Exchange, "caller" | "ask" | "paramHeaders" | "isGone" | "isRevoked"> & {
  readonly digest: string
  readonly leg: Leg
  /** Told when a question is put to the client; gives the state it brings back, or why it cannot be asked. */
  readonly onPark: () => { readonly state: string } | { readonly refused: RpcError }
  readonly onEnd: () => void
}

/** Only these may be answered by a question. */
const mayAsk = new Set(["tools/call", "prompts/get", "resources/read"])

export function startModernExchange(parts: ModernParts): ModernExchange {
  let leg: Leg | null = parts.leg
  let outcome: Reply | null = null
  let staysOpen = false
  let keys = 0
  let flushing = false
  let handedOver: ((delivered: boolean) => void) | null = null
  const queued = new Map<string, Question>()
  const asked = new Map<string, Question>()
  // Apart from the request itself, which the exchange alone keeps, as long as it needs it.
  const { caller, ask, paramHeaders, digest, isGone, isRevoked, onPark, onEnd } = parts
  const isAskable = mayAsk.has(ask.method)
  const exchange = makeExchange({
    caller,
    ask,
    paramHeaders,
    isGone,
    isRevoked,
    notify: (notice) => leg?.outlet.say({ jsonrpc: "2.0", ...notice }),
    inquire,
    keepOpen: () => {
      staysOpen = true
      leg?.outlet.waits()
    },
    // Which message will carry the reply shows only when it does.
    delivered: () =>
      new Promise((resolve) => {
        if (exchange.withdrawn.aborted) resolve(false)
        else handedOver = resolve
      }),
  })
  return { exchange, digest, isParked: () => leg === null, rebind, settle, closed, drop, giveUp }

  function inquire(question: Ask): Promise<Reply> {
    if (!isAskable) return Promise.resolve(cannotAskHere)
    if (outcome !== null || exchange.withdrawn.aborted || exchange.dropped.aborted) return Promise.resolve(exchangeOver)
    return new Promise((resolve) => {
      queued.set(`question-${++keys}`, { ask: question, settle: resolve })
      flushSoon()
    })
  }

  // Questions of one moment travel together.
  function flushSoon(): void {
    if (flushing) return
    flushing = true
    setImmediate(() => {
      flushing = false
      flush()
    })
  }

  function flush(): void {
    if (leg === null || queued.size === 0 || outcome !== null) return
    const inputRequests: JsonObject = Object.fromEntries(
      Array.from(queued, ([key, question]) => [key, { ...question.ask }]),
    )
    for (const [key, question] of queued) asked.set(key, question)
    queued.clear()
    const { id, outlet } = leg
    leg = null
    const parked = onPark()
    if ("refused" in parked) {
      outlet.reply(errorMessage(id, parked.refused))
      giveUp()
      return
    }
    const result = { resultType: "input_required", inputRequests, requestState: parked.state }
    outlet.reply(replyMessage(id, { kind: "result", result }))
  }

  function rebind(next: Leg, answers: JsonObject | undefined): void {
    leg = next
    if (outcome !== null) {
      deliver(outcome)
      return
    }
    if (staysOpen) next.outlet.waits()
    for (const [key, question] of asked) {
      const answer = asObject(memberAt(answers, key))
      asked.delete(key)
      // Questions left unanswered are asked again.
      if (answer === undefined) queued.set(key, question)
      else question.settle({ kind: "result", result: answer })
    }
    flushSoon()
  }

  function settle(reply: Reply): void {
    outcome = reply
    abandonQuestions()
    if (leg !== null) deliver(reply)
  }

  function deliver(reply: Reply): void {
    const to = leg
    leg = null
    onEnd()
    if (handedOver !== null) void to?.outlet.delivered().then(handedOver)
    to?.outlet.reply(
      replyMessage(to.id, reply.kind === "result" ? { kind: "result", result: typed(reply.result) } : reply),
    )
  }

  function closed(gone: Leg): void {
    if (leg !== gone) return
    leg = null
    giveUp()
  }

  function drop(): void {
    exchange.drop()
    abandonQuestions()
  }

  function giveUp(): void {
    onEnd()
    exchange.withdraw()
    handedOver?.(false)
    abandonQuestions()
  }

  function abandonQuestions(): void {
    for (const questions of [queued, asked]) {
      for (const question of questions.values()) question.settle(unanswered)
      questions.clear()
    }
  }
}

/** Every modern result says whether it is one. */
function typed(result: JsonObject): JsonObject {
  return Object.hasOwn(result, "resultType") ? result : withOwn(result, { resultType: "complete" })
}
