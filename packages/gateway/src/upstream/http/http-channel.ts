/**
 * Streamable HTTP: each request is a POST whose answer is one message or a stream of them. A legacy server may also know
 * a session, and may end a stream early and let us come back for the rest; a modern one knows neither.
 *
 * I1. A call is never sent twice: not when the connection it was sent on turned out to be stale, not when the server sends it on to
 *     another address, and not when the server says that it has forgotten the session. What a person approved is a call, whatever its method.
 * I2. The rest of a stream that broke is fetched from where it stopped; the request is not repeated for it.
 * I3. An answer that broke off leaves what became of the call unknown; it is no failure.
 * I4. An answer that names the call is its answer, whatever the status.
 * I5. Of large answers a bounded number is read at once for one agent, and each counts until its call is over.
 */

import type { Era } from "../../wire/caller.ts"
import type { RequestMessage } from "../../wire/message.ts"
import { writeMessage } from "../../wire/write-message.ts"
import type { Channel, ChannelEvents, ChannelRequest, OpenChannel } from "../channel.ts"
import { placeOf } from "../in-flight.ts"
import { type Continuity, LinkError } from "../link.ts"
import { runsOnce } from "../runs-once.ts"
import type { PausableSource } from "../source-pace.ts"
import type { Setting } from "../upstream-options.ts"
import { comeBackMs, mostEmptyStreams, sendableEventId } from "./come-back.ts"
import { type HttpAnswer, isEventStream } from "./http-answer.ts"
import { type HttpCall, newCall } from "./http-call.ts"
import type { HttpEndpoint } from "./http-endpoint.ts"
import { statusFailure, statusOf } from "./http-status.ts"
import { createLingeringStreams } from "./lingering-streams.ts"
import { createPostNotification } from "./post-notification.ts"
import { type AnswerBody, readBody, readEvents } from "./read-answer.ts"
import { type Received, readReceived } from "./read-received.ts"
import { type KeptStream, keepStream } from "./unsolicited-stream.ts"

export function httpChannel(place: HttpEndpoint, era: Era, setting: Setting): OpenChannel {
  return (events) => openHttp(place, era, setting, events)
}

function openHttp(place: HttpEndpoint, era: Era, setting: Setting, events: ChannelEvents): Channel {
  const { client } = place
  const tell = createPostNotification(client, place.url, era)
  const calls: Array<HttpCall | undefined> = []
  const lingering = createLingeringStreams()
  let base: Readonly<Record<string, string>> = {
    ...place.headers,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  }
  // Where the server wants requests, as it said in answer to an earlier one.
  let { url } = place
  let session: string | undefined
  let forgotten = false
  let kept: KeptStream | null = null
  const stopWatching = client.watch(doubt)

  function continuity(): Continuity {
    if (session !== undefined) return "bound"
    return kept?.isOpen() === true ? "heard" : "unseen"
  }

  function doubt(): void {
    if (session === undefined) events.onDoubt()
  }

  function send(call: HttpCall, body: string, sending: ChannelRequest, again: boolean): void {
    call.stop = client.send({
      method: "POST",
      url,
      headers: sending.headers === undefined ? base : { ...base, ...Object.fromEntries(sending.headers) },
      body,
      once: call.once,
      onMoved: (target) => {
        url = target
      },
      mayLeave: sending.mayLeave,
      onAnswer: (answer) => answered(call, answer),
      onFail: (error, stale) => {
        if (stale && !again && !call.once) send(call, body, sending, true)
        else fail(call, error)
      },
    })
  }

  function isOpen(call: HttpCall): boolean {
    return calls[placeOf(call.id)] === call
  }

  function forget(call: HttpCall): void {
    calls[placeOf(call.id)] = undefined
    endLarge(call)
  }

  function beginLarge(call: HttpCall, source: PausableSource): void {
    if (isOpen(call)) call.large ??= place.largeAnswers.begin(call.principal, source)
  }

  function endLarge(call: HttpCall): void {
    call.large?.end()
    call.large = null
  }

  function fail(call: HttpCall, error: LinkError): void {
    if (!isOpen(call)) return
    forget(call)
    call.stop()
    if (mayBeAnother(error)) doubt()
    events.onFail(call.id, error)
  }

  function answered(call: HttpCall, answer: HttpAnswer): void {
    if (call.method === "initialize") learnSession(answer)
    const { status } = answer
    if (status < 300 && isEventStream(answer)) stream(call, answer)
    else {
      const onLarge = (): void => beginLarge(call, answer)
      readBody(answer, setting.maxMessageBytes, onLarge, (body) => {
        if (call.large === null) whole(call, status, body)
        else call.large.inTurn(() => whole(call, status, body))
      })
    }
  }

  function learnSession(answer: HttpAnswer): void {
    const given = answer.header("mcp-session-id")
    if (given === undefined) return
    session = given
    base = { ...base, "mcp-session-id": given }
  }

  function whole(call: HttpCall, status: number, body: AnswerBody): void {
    if (!isOpen(call)) return
    const problem = deliver(call, status, body)
    // A body that held the answer has settled the call by now.
    fail(call, problem ?? malformed("It holds no answer to the request."))
  }

  function deliver(call: HttpCall, status: number, body: AnswerBody): LinkError | undefined {
    if (!body.ok) return body.tooLarge ? tooLarge(setting) : brokenOff()
    const read = readReceived(body.text, setting.maxMessageBytes)
    if (saysMore(call, status)) {
      if (status === 404) forgotten = true
      const own = call.once && read.ok ? read.received.filter((received) => isAnswerTo(call, received)) : []
      for (const received of own) events.onMessage(received, call.id)
      if (status === 404 && own.length > 0) events.onEnd(sessionGone())
      return statusFailure(status, call.once)
    }
    if (!read.ok) return status < 300 && body.text !== "" ? malformed(read.problem) : statusFailure(status, call.once)
    for (const received of read.received) events.onMessage(received, call.id)
    return undefined
  }

  // These say more by their status than by their body, unless the body is a call's own answer.
  function saysMore(call: HttpCall, status: number): boolean {
    if (status === 401 || (status === 403 && era === "legacy")) return true
    if (status === 404 && session !== undefined) return true
    return call.method === "initialize" && (status === 404 || status === 405)
  }

  function stream(call: HttpCall, answer: HttpAnswer): void {
    call.streams = true
    call.empty++
    readEvents(answer, setting, {
      onLarge: (source) => beginLarge(call, source),
      onEvent: ({ id, event, data }) => {
        endLarge(call)
        if (id !== undefined) call.lastEventId = sendableEventId(id)
        if (data !== "") call.empty = 0
        if (data === "" || (event !== "" && event !== "message") || !isOpen(call)) return
        const read = readReceived(data, setting.maxMessageBytes)
        if (!read.ok) return fail(call, malformed(read.problem))
        for (const received of read.received) events.onMessage(received, call.id)
      },
      onRetry: (ms) => {
        call.retryMs = ms
      },
      onClose: (large) => {
        call.streams = false
        lingering.remove(call)
        if (!isOpen(call)) return
        if (large) fail(call, tooLarge(setting))
        else if (mayComeBack(call)) comeBack(call, call.lastEventId, 1)
        else fail(call, brokenOff())
      },
    })
  }

  function mayComeBack(call: HttpCall): call is HttpCall & { readonly lastEventId: string } {
    return era === "legacy" && call.lastEventId !== undefined && call.empty < mostEmptyStreams
  }

  // The rest of a legacy stream is fetched from where it stopped; the request itself is not sent again.
  function comeBack(call: HttpCall, lastEventId: string, attempt: number): void {
    const waitMs = comeBackMs(call.retryMs, Math.max(call.empty - 1, 0), setting.times.longestBackOffMs)
    const timer = setTimeout(() => {
      call.stop = client.send({
        method: "GET",
        url,
        headers: { ...base, accept: "text/event-stream", "last-event-id": lastEventId },
        onAnswer: (answer) => {
          if (answer.status === 200 && isEventStream(answer)) return stream(call, answer)
          answer.discard()
          fail(call, brokenOff())
        },
        onFail: () => (attempt < 3 ? comeBack(call, lastEventId, attempt + 1) : fail(call, brokenOff())),
      })
    }, waitMs)
    call.stop = () => clearTimeout(timer)
  }

  return {
    ask: (message: RequestMessage, sending) => {
      const call = newCall(
        Number(message.id),
        message.method,
        sending.principal ?? "",
        runsOnce(message.method, sending),
      )
      calls[placeOf(call.id)] = call
      send(call, writeMessage(message), sending, false)
    },
    drop: (id, why) => {
      const call = calls[placeOf(id)]
      if (call?.id !== id) return
      forget(call)
      if (why === "abandoned") call.stop()
      else if (call.streams) lingering.add(call)
    },
    tell: (message) => tell(base, message),
    continuity,
    agreed: (version) => {
      base = { ...base, "mcp-protocol-version": version }
      kept = keepStream({
        place,
        headers: () => base,
        setting,
        onMessage: (received) => events.onMessage(received),
        onBroken: doubt,
        onGone: () => events.onEnd(sessionGone()),
      })
    },
    close: async () => {
      stopWatching()
      kept?.stop()
      for (const call of calls.splice(0)) {
        if (call === undefined) continue
        call.stop()
        endLarge(call)
      }
      if (session !== undefined && !forgotten) await endSession(place, base)
    },
  }
}

/** A server that is being replaced refuses or breaks connections, or has somebody before it say that it is not there. */
function mayBeAnother(error: LinkError): boolean {
  return error.code === "unreachable" || error.code === "cut-off" || (statusOf(error) ?? 0) >= 500
}

// Said for politeness; a server that does not listen forgets the session by itself.
function endSession(place: HttpEndpoint, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => {
      stop()
      resolve()
    }, 1_000)
    const done = () => {
      clearTimeout(late)
      resolve()
    }
    const stop = place.client.send({
      method: "DELETE",
      url: place.url,
      headers,
      onAnswer: (answer) => {
        answer.read({ onChunk: () => {}, onClose: done })
      },
      onFail: done,
    })
  })
}

function isAnswerTo(call: HttpCall, { message }: Received): boolean {
  return !("method" in message) && message.id === call.id
}

function malformed(problem: string): LinkError {
  return new LinkError("malformed", `The server's answer cannot be read. ${problem}`)
}

function brokenOff(): LinkError {
  return new LinkError("cut-off", "The server's answer broke off. Whether it did anything is not known.")
}

function sessionGone(): LinkError {
  return new LinkError("cut-off", "The server has forgotten the session.", { cause: { status: 404 } })
}

function tooLarge(setting: Setting): LinkError {
  return new LinkError("malformed", `The server sent a message larger than ${setting.maxMessageBytes} bytes.`)
}
