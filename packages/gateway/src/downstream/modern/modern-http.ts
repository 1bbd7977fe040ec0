/** A modern request over HTTP: one POST, no session, and a closed stream withdraws it. */
import { sessionKey } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import { type Envelope, readEnvelope } from "../../wire/envelope.ts"
import { modernStatus } from "../../wire/errors.ts"
import { paramHeadersOf } from "../../wire/headers/param-headers.ts"
import type { NotificationMessage, RequestMessage, ResponseMessage } from "../../wire/message.ts"
import { newestModern } from "../../wire/versions.ts"
import { accepted, refuse } from "../http-answer.ts"
import type { KeepAlive } from "../keep-alive.ts"
import type { Visit } from "../legacy/legacy-http.ts"
import { askOf } from "../legacy/legacy-messages.ts"
import { type NamedSession, nameSession } from "../name-session.ts"
import { openPostStream } from "../post-stream.ts"
import { isBadState, type ModernRequests } from "./modern-requests.ts"

export type ModernTools = {
  readonly desk: ModernRequests
  readonly keepAlive: KeepAlive
  readonly log: ((line: string) => void) | undefined
}

export function postModern(visit: Visit, message: RequestMessage, envelope: Envelope, tools: ModernTools): void {
  const { request, response, identity, backend, path } = visit
  const named = nameSession(identity, null, request.headers["byleave-session"], askOf(message))
  if (!named.ok) {
    refuse(response, named.status, named.problem, {}, message.id)
    return
  }
  let withdraw = (): void => {}
  let gone = false
  const outlet = openPostStream({
    response,
    keepAlive: tools.keepAlive,
    waits: visit.open.waits,
    fits: visit.open.fits,
    batch: null,
    statusOf,
    onClose: () => {
      gone = true
      withdraw()
    },
  })
  const leg = { id: message.id, outlet }
  const caller = modernCaller(visit, named, envelope)
  withdraw = tools.desk.answer({
    ask: named.ask,
    caller,
    backend,
    path,
    leg,
    paramHeaders: paramHeadersOf(request.headers),
    body: visit.open,
  })
  if (gone) withdraw()
}

function statusOf(reply: ResponseMessage): number {
  return "error" in reply && isBadState(reply.error) ? 400 : modernStatus(reply)
}

export function modernCaller(
  { identity }: Pick<Visit, "identity">,
  { session }: Extract<NamedSession, { readonly ok: true }>,
  { version, client, abilities, logLevel }: Envelope,
): Caller {
  const { principal } = identity
  const caller = { principal, session, conversation: sessionKey(session), version, client, abilities }
  return { ...caller, era: "modern", ...(logLevel === null ? {} : { logLevel }) }
}

/** A notification of the modern era. Cancellation is not one of them here: the stream is closed instead. */
export function noteModern(visit: Visit, message: NotificationMessage): void {
  const { request, response, identity, backend } = visit
  const named = nameSession(identity, null, request.headers["byleave-session"], askOf(message))
  if (!named.ok) {
    refuse(response, named.status, named.problem)
    return
  }
  if (message.method === "notifications/cancelled") {
    accepted(response)
    return
  }
  const read = readEnvelope(message.params)
  const envelope = read.ok ? read.envelope : { version: newestModern, client: null, abilities: {}, logLevel: null }
  const wrong = backend.note(modernCaller(visit, named, envelope), named.ask)
  if (wrong === null) accepted(response)
  else refuse(response, 400, wrong)
}
