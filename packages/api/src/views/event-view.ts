import { z } from "zod"
import { epochMs } from "../json.ts"

/**
 * Something became true in the store. Names it only: whoever cares reads the truth. A stream begins with `stream.opened`, whose
 * number is where it stands, or `stream.reset`: what was missed is no longer kept, so everything is to be read anew.
 */
export const eventView = z.object({
  seq: z.int(),
  /** Such as `approval.pending`; readers pass over types they do not know. */
  type: z.string(),
  /** An id; sessions go by their opaque key. */
  subject: z.string(),
  at: epochMs,
})
export type EventView = z.infer<typeof eventView>
