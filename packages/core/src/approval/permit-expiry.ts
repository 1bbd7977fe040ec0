import type { EpochMs } from "../call/call.ts"

/** No permit outlives this, whatever signs of life its session gives. */
export const longestPermitMs = 8 * 60 * 60_000

/** When a permit approved at `approvedAt` ends, counted from the sign of life given. */
export function permitExpiry(approvedAt: EpochMs, sign: { readonly at: EpochMs; readonly permitMs: number }): EpochMs {
  return Math.min(sign.at + sign.permitMs, approvedAt + longestPermitMs)
}
