import type { JsonObject } from "@byleave/core"
import type { Asker } from "../upstream/era/speak-era.ts"
import type { Link, LinkRequest } from "../upstream/link.ts"
import type { Ask, Reply } from "../wire/message.ts"

const self: Asker = { era: "modern", client: { name: "byleave", version: "0.1.0" }, abilities: {} }
const timeoutMs = 60_000

/**
 * For whom the gateway asks. `principal`: whose share of the server it takes; absent: its own. `abilities`: as a client that declares these.
 * `inTurn`: for a call that has its turn at the server, and waits for this in it.
 */
export type OnBehalf = { readonly principal?: string; readonly abilities?: JsonObject; readonly inTurn?: boolean }

/** A request of the gateway's own: nobody's progress, nobody to be asked. */
export function ownRequest(link: Link, ask: Ask, { principal, abilities, inTurn }: OnBehalf = {}): Promise<Reply> {
  const carried: LinkRequest = {
    ask,
    asker: abilities === undefined ? self : { ...self, abilities },
    ...(principal === undefined ? {} : { principal }),
    onNotice: () => {},
    askable: () => null,
    signal: new AbortController().signal,
    timeoutMs,
  }
  return inTurn === true ? link.requestInTurn(carried, null) : link.request(carried)
}
