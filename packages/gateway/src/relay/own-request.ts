import type { Link } from "../upstream/link.ts"
import { withEnvelope } from "../wire/envelope.ts"
import type { Ask, Reply } from "../wire/message.ts"

const client = { name: "byleave", version: "0.1.0" }
const timeoutMs = 60_000

/** A request of the gateway's own: nobody's progress, nobody to be asked. */
export function ownRequest(link: Link, ask: Ask): Promise<Reply> {
  const { params } = ask
  const envelope = { version: link.version, abilities: {}, client, logLevel: null }
  const carried = link.era === "modern" ? { ...ask, params: withEnvelope(params, envelope) } : ask
  return link.request({
    ask: carried,
    onNotice: () => {},
    onInquiry: async ({ method }) => ({
      kind: "error",
      error: { code: -32601, message: `Nobody can be asked for ${method}.` },
    }),
    signal: new AbortController().signal,
    timeoutMs,
  })
}
