/**
 * Which era a message belongs to. The body decides; a header only where the body claims nothing.
 *
 * I1. What names a modern revision, in a header or in its body, is never taken for legacy, where a session would vouch for it.
 * I2. Where there are headers, a modern request passes only with headers that agree with its body.
 * I3. A revision nobody speaks here is refused, also where there are no headers.
 */

import { claimsEnvelope, type Envelope, readEnvelope } from "./envelope.ts"
import { errorCode, rpcError } from "./errors.ts"
import { checkModernHeaders, unsupported, type WireHeaders } from "./headers/check-headers.ts"
import type { NotificationMessage, RequestMessage, RpcError } from "./message.ts"
import { isModernVersion } from "./versions.ts"

export type Classified =
  | { readonly era: "legacy" }
  | { readonly era: "modern"; readonly envelope: Envelope }
  | { readonly era: "neither"; readonly error: RpcError }

/** `headers` is null where the carrier has none (stdio). */
export function classifyRequest(message: RequestMessage, headers: WireHeaders | null): Classified {
  const headerIsModern = headers?.version !== undefined && isModernVersion(headers.version)
  if (!claimsEnvelope(message.params)) {
    if (!headerIsModern) return { era: "legacy" }
    if (message.method === "initialize") return neither(initializeWithModernHeader)
    return badEnvelope(message)
  }
  const read = readEnvelope(message.params)
  if (!read.ok) return message.method === "initialize" && !headerIsModern ? { era: "legacy" } : badEnvelope(message)
  const { envelope } = read
  // The handshake may carry any _meta; only a claim of a modern revision makes it something else.
  if (message.method === "initialize" && !headerIsModern && !isModernVersion(envelope.version)) return { era: "legacy" }
  const wrong = headers === null ? checkVersion(envelope) : checkModernHeaders(message, envelope, headers)
  return wrong === undefined ? { era: "modern", envelope } : neither(wrong)
}

function checkVersion({ version }: Envelope): RpcError | undefined {
  return isModernVersion(version) ? undefined : unsupported(version)
}

const initializeWithModernHeader = rpcError(
  errorCode.headerMismatch,
  "initialize opens a legacy conversation, and the header MCP-Protocol-Version names a modern revision.",
  { mismatch: { header: "MCP-Protocol-Version" } },
)

/** Notifications of the modern era need no envelope. */
export function isModernNotification(message: NotificationMessage, headers: WireHeaders): boolean {
  if (claimsEnvelope(message.params)) return true
  return headers.version !== undefined && isModernVersion(headers.version)
}

function badEnvelope(message: RequestMessage): Classified {
  const read = readEnvelope(message.params)
  if (read.ok) return { era: "modern", envelope: read.envelope }
  const { key, problem } = read
  const words = `A request of the modern era says who makes it: params._meta, ${key}: ${problem}.`
  return neither(rpcError(errorCode.invalidParams, words, { envelope: { key, problem } }))
}

function neither(error: RpcError): Classified {
  return { era: "neither", error }
}
