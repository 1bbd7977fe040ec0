import type { EpochMs } from "../call/call.ts"
import type { Held } from "./approval.ts"

/** No permit outlives this, whatever signs of life its session gives. */
export const longestPermitMs = 8 * 60 * 60_000

/** When a permit approved at `approvedAt` ends, counted from the sign of life given. A run's never does: its run takes it up, however late. */
export function permitExpiry(
  { key }: Pick<Held, "key">,
  approvedAt: EpochMs,
  sign: { readonly at: EpochMs; readonly permitMs: number },
): EpochMs | null {
  if (key !== undefined) return null
  return Math.min(sign.at + sign.permitMs, approvedAt + longestPermitMs)
}
