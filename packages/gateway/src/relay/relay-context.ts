import type { HoldContext } from "../hold/context.ts"
import type { WordLimit } from "./still-allowed.ts"
import type { Visibility } from "./tools/visibility.ts"

/** The state that all backends of one gateway share. */
export type RelayContext = HoldContext & {
  readonly visibility: Visibility
  /** Absent: the gate is here, and says at once what changes: nobody else changes it. */
  readonly word?: WordLimit
}
