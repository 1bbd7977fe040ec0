import type { RowAnswer, VerdictState } from "@byleave/ui"

/** The decision that a row tells of: its own, which can be taken back there until it is sent, or that of a batch, which the bar takes back. */
export function rowAnswer(
  own: VerdictState,
  inBatch: RowAnswer["kind"] | null,
  takeBack: () => void,
): RowAnswer | null {
  if (own.state === "unsent") return { kind: own.kind, onUndo: takeBack }
  if (own.state === "sending") return { kind: own.kind, onUndo: null }
  return inBatch === null ? null : { kind: inBatch, onUndo: null }
}
