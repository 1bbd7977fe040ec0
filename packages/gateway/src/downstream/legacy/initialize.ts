/** The legacy handshake: who the client is, and which revision is spoken from now on. */
import { memberAt, objectAt, textAt } from "@byleave/core"
import type { Identity } from "../../gateway.ts"
import { isTooLarge, readClient, tooLarge } from "../../wire/envelope.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Backend } from "../../wire/exchange.ts"
import type { Ask, Reply } from "../../wire/message.ts"
import type { ConversationRecord } from "../../wire/ports.ts"
import { agreedLegacy } from "../../wire/versions.ts"
import { ownSession } from "../name-session.ts"
import { legacyCaller } from "./conversation.ts"
import { initializeResult } from "./legacy-messages.ts"

export type Initialized =
  | { readonly ok: true; readonly record: ConversationRecord; readonly reply: Reply }
  | { readonly ok: false; readonly reply: Reply }

export async function initialize(
  ask: Ask,
  identity: Identity,
  backend: Backend,
  known: { readonly id: string; readonly path: string; readonly createdAt: number; readonly session: string | null },
  log: ((line: string) => void) | undefined,
): Promise<Initialized> {
  const requested = textAt(ask.params, "protocolVersion")
  if (requested === undefined) return refused("initialize names the protocolVersion it wants.")
  const client = readClient(memberAt(ask.params, "clientInfo")) ?? null
  const abilities = objectAt(ask.params, "capabilities") ?? {}
  if (isTooLarge(abilities)) return refused(`capabilities of initialize ${tooLarge}.`)
  if (isTooLarge(client)) return refused(`clientInfo of initialize ${tooLarge}.`)
  const draft: ConversationRecord = {
    id: known.id,
    principal: identity.principal.id,
    path: known.path,
    version: agreedLegacy(requested),
    client,
    abilities,
    createdAt: known.createdAt,
  }
  try {
    const hello = await backend.hello(legacyCaller(draft, identity, ownSession(identity, known.session)))
    return { ok: true, record: { ...draft, version: hello.version }, reply: initializeResult(hello) }
  } catch (cause) {
    log?.(`A server could not be greeted: ${cause instanceof Error ? cause.message : String(cause)}`)
    return { ok: false, reply: unreachable }
  }
}

function refused(words: string): Initialized {
  return { ok: false, reply: errorReply(errorCode.invalidParams, words) }
}

export const unreachable = errorReply(
  errorCode.internal,
  "The server behind this address could not be reached. Byleave's log says why: its standard error, or what `byleave doctor` prints.",
)
