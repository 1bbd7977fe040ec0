/** Listening to a server: all that it says outside any request, and the resources that are named. */
import { textAt } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import { AttendanceRefused, type NoticeListener } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import type { Routed } from "../route.ts"
import type { ServerRelay } from "../server-relay.ts"
import { askOther, type Named } from "../talk/ask-other.ts"
import { hearingOnlyOpen, isClosed } from "../talk/closing.ts"
import { grantListening } from "../talk/grant-listening.ts"
import { tooManyResources } from "./listening-limit.ts"
import { beginSubscribing } from "./sync-subscriptions.ts"

const done: Reply = { kind: "result", result: {} }

/** `seenAs`: the caller with the abilities its servers may be told. Its subscriptions are counted before they are judged: a request for too many costs no judgement. */
export async function attend(
  relay: ServerRelay,
  caller: Caller,
  listener: NoticeListener,
  seenAs: Caller,
): Promise<() => void> {
  const over = relay.listening.claim(caller.principal.id, listener.wants?.resources ?? [])
  if (over === null) throw new AttendanceRefused(tooManyResources(relay.server.id))
  const { heard, forget } = hearingOnlyOpen(relay, caller, listener)
  try {
    const granted = await grantListening(relay, caller, heard)
    const stop = await relay.connections.of(seenAs).attend(caller, granted)
    return () => {
      stop()
      forget()
      over()
    }
  } catch (error) {
    over()
    throw error
  }
}

/** A legacy server is asked first, and told no more; a modern one hears it with what all want to listen to. */
export async function subscribe(routed: Routed, named: Named): Promise<Reply> {
  const { relay, caller, connection } = routed
  const over = relay.listening.claim(caller.principal.id, [named.name])
  if (over === null) return errorReply(errorCode.invalidParams, tooManyResources(relay.server.id))
  try {
    const link = await connection.link()
    const took = beginSubscribing(link)
    const reply = await askOther(routed, named, link.era === "modern" ? async () => done : undefined)
    if (reply.kind === "error") return reply
    took(named.name)
    connection.listeners.subscriptions.add({ uri: named.name, caller, holder: caller.conversation })
    await connection.tell([named.name], caller.principal.id)
    return reply
  } finally {
    over()
  }
}

export async function unsubscribe({ relay, caller, connection, exchange }: Routed): Promise<Reply> {
  const uri = textAt(exchange.ask.params, "uri") ?? ""
  connection.listeners.subscriptions.drop(uri, caller.conversation)
  if (!(await isClosed(relay, caller))) await connection.tell([uri], caller.principal.id)
  return done
}
