import { findCredential } from "../credentials/credential-book.ts"
import type { ApiService } from "../service.ts"
import type { RunCaller } from "./run-caller.ts"
import type { RequestIdentity } from "./who-asks.ts"

type Caller = RequestIdentity | RunCaller | null

/** Ends a stream of events when the device or token it was opened with is revoked, or the person is removed. */
export function untilRevoked(service: ApiService, who: Caller, response: Response): Response {
  const { body, headers } = response
  if (who === null || body === null) return response
  if (headers.get("content-type")?.startsWith("text/event-stream") !== true) return response
  const revoked = new AbortController()
  const look = async (): Promise<void> => {
    if (!(await isThere(service, who))) revoked.abort()
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

async function isThere({ credentials }: ApiService, who: NonNullable<Caller>): Promise<boolean> {
  if (!("device" in who)) {
    credentials.identify.forget()
    return (await credentials.identify.runnerNamed(who.token))?.secretId === who.secretId
  }
  const device = await findCredential(credentials.ports, "device", who.device.id)
  return device !== null && (await findCredential(credentials.ports, "reviewer", device.value.reviewer)) !== null
}
