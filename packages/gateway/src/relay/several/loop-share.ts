import { setImmediate } from "node:timers/promises"
import { createLoopShare, type LoopShare } from "@byleave/core"

/** The event loop of this process, shared by whatever looks through long lists for agents. */
export const loopShare: LoopShare = createLoopShare({ now: () => performance.now(), nextTurn: () => setImmediate() })
