import type { EpochMs } from "../../call/call.ts"
import type { Remembered } from "../../policy/rules/remembered.ts"

/** A remembered verdict, with its history. `always` grants have no session. */
export type Grant = Remembered & {
  /** One more with every change that a person makes of it, its uses aside; absent: nobody has changed it, which is 1. */
  readonly version?: number
  readonly createdAt: EpochMs
  readonly createdBy: string
  /** The approval whose verdict made it; null when a person wrote it directly. */
  readonly from: string | null
  readonly reason?: string
  readonly lastUsedAt: EpochMs | null
  readonly timesUsed: number
}

/** The names people and other programs use for a permission's level. */
export type Level = "Ask" | "AllowOnce" | "AllowSession" | "AllowAlways" | "DenyAlways"
