/**
 * Tells the service what a run came to.
 *
 * I1. Of an outcome that is more than the service takes, it is told that and how the run ended: it must not be waited for any longer.
 */
import type { RunOutcome } from "@byleave/core"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import { mostBodyBytes } from "./gate-wire.ts"

type Telling = {
  /** The caller does not wait for it. */
  readonly isLate?: boolean
  /** Called if the outcome is too large to be told whole: its caller must not get it from the service. */
  readonly onTooLarge?: () => void
}

const tooLarge = "It is too large to record. The caller received it."

export async function tellOutcome(
  transport: GateTransport,
  run: string,
  ran: RunOutcome,
  { isLate = false, onTooLarge }: Telling = {},
): ReturnType<GateTransport["post"]> {
  const text = JSON.stringify(ran)
  const answer = isMore(text) ? null : await transport.post(gatePaths.settle(run), text, { isLate })
  if (answer !== null && !refusesContent.has(answer.status)) return answer
  onTooLarge?.()
  return await transport.post(gatePaths.settle(run), JSON.stringify(withoutContent(ran)), { isLate })
}

/** Some services take less, and none takes what is nested too deeply. */
const refusesContent: ReadonlySet<number> = new Set([400, 413])

/** Counts only where it may be. */
function isMore(text: string): boolean {
  return text.length * 3 > mostBodyBytes && new TextEncoder().encode(text).byteLength > mostBodyBytes
}

function withoutContent({ kind }: RunOutcome): RunOutcome {
  switch (kind) {
    case "succeeded":
      return { kind, result: tooLarge }
    case "failed":
      return { kind, error: tooLarge }
    case "unknown":
      return { kind, detail: tooLarge }
  }
}
