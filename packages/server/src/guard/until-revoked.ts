import { findCredential } from "../credentials/credential-book.ts"
import type { ApiService } from "../service.ts"
import type { RunCaller } from "./run-caller.ts"
import type { RequestIdentity } from "./who-asks.ts"

type Caller = RequestIdentity | RunCaller | null

/** Ends a stream of events to a person when their device is revoked or they are removed. A program's streams end with its runs. */
export function untilRevoked(service: ApiService, who: Caller, response: Response): Response {
  const { body, headers } = response
  if (who === null || !("device" in who) || body === null) return response
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true) return response
  const revoked = new AbortController()
  const look = async (): Promise<void> => {
    const device = await findCredential(service.credentials.ports, "device", who.device.id)
    const person = device && (await findCredential(service.credentials.ports, "reviewer", device.value.reviewer))
    if (person === null) revoked.abort()
  }
  const stop = service.store.subscribe(({ type }) => {
    // A stream whose owner can no longer be checked ends, and a client that may have it asks again.
    if (type === "access.changed") void look().catch(() => revoked.abort())
  })
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  void body
    .pipeTo(writable, { signal: revoked.signal })
    .catch(() => undefined)
    .finally(stop)
  return new Response(readable, response)
}
