import { z } from "zod"
import { epochMs } from "../json.ts"
import { breadth, sessionRef } from "./shared-schemas.ts"

/** A remembered verdict, with its history and in words. */
export const grantView = z
  .object({
    id: z.string(),
    /** Moves with every change of it. */
    version: z.int(),
    effect: z.enum(["allow", "deny"]),
    breadth,
    session: sessionRef.exactOptional(),
    /** The one agent it serves, in all its sessions. */
    agent: z.string().exactOptional(),
    /** Of `agent`, where that is `run` or `chat`: the one starter whose runs it serves, `runner NAME` or `reviewer NAME`. Absent: all runs. */
    starter: z.string().exactOptional(),
    until: epochMs.exactOptional(),
    usesLeft: z.int().exactOptional(),
    level: z.enum(["Ask", "AllowOnce", "AllowSession", "AllowAlways", "DenyAlways"]),
    words: z.string(),
    text: z.string(),
    createdAt: epochMs,
    createdBy: z.string(),
    from: z.string().nullable(),
    reason: z.string().exactOptional(),
    lastUsedAt: epochMs.nullable(),
    timesUsed: z.int(),
  })
  .meta({ id: "Grant" })
export type GrantView = z.infer<typeof grantView>
