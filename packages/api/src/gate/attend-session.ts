import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { AttendBody } from "./gate-wire.ts"

export type AttendOptions = {
  readonly transport: GateTransport
  readonly session: AttendBody["from"]
  readonly pause: (ms: number) => Promise<void>
  /** Aborted once the session is over. */
  readonly closing: AbortSignal
}

/**
 * Ties a session to this process: the service ends it, and withdraws what waits in it, soon after the connection broke and none came in its
 * place. Here, a connection that broke is replaced at once. Resolves when the session is over, or at a service that knows no such thing.
 */
export async function attendSession({ transport, session, pause, closing }: AttendOptions): Promise<void> {
  const body = JSON.stringify({ from: session } satisfies AttendBody)
  while (!closing.aborted) {
    let hasStood = false
    const onLine = (): void => {
      hasStood = true
    }
    const answer = await transport.post(gatePaths.attend, body, { onLine, isOpenEnded: true }).catch(() => null)
    if (answer !== null && isRefusal(answer.status)) return
    if (!hasStood && !closing.aborted) await pause(1_000)
  }
}

/** Too much that is open now may have ended by the next time. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429
}
