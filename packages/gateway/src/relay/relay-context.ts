import type { HoldContext } from "../hold/context.ts"
import type { Visibility } from "./tools/visibility.ts"

/** The state that all backends of one gateway share. */
export type RelayContext = HoldContext & { readonly visibility: Visibility }
