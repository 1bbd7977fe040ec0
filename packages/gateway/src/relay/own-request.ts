import type { Asker } from "../upstream/era/speak-era.ts"
import type { Link } from "../upstream/link.ts"
import type { Ask, Reply } from "../wire/message.ts"

const self: Asker = { era: "modern", client: { name: "byleave", version: "0.1.0" }, abilities: {} }
const timeoutMs = 60_000

/** For whom the gateway asks. `principal`: whose share of the server it takes; absent: its own. */
export type OnBehalf = { readonly principal?: string }

/** A request of the gateway's own: nobody's progress, nobody to be asked. */
export function ownRequest(link: Link, ask: Ask, onBehalf: OnBehalf = {}): Promise<Reply> {
  return link.request({
    ask,
    asker: self,
    ...onBehalf,
    onNotice: () => {},
    onInquiry: async ({ method }) => ({
      kind: "error",
      error: { code: -32601, message: `Nobody can be asked for ${method}.` },
    }),
    signal: new AbortController().signal,
    timeoutMs,
  })
}
