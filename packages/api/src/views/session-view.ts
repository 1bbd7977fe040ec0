import { z } from "zod"
import { epochMs } from "../json.ts"
import { grantView } from "./grant-view.ts"
import { mode, sessionRef, toolRef } from "./shared-schemas.ts"

/** Whether the program of a session is there; `unknown` where only its calls tell of it, the last one at `lastSeenAt`. */
const connection = z.discriminatedUnion("state", [
  z.object({ state: z.literal("connected") }),
  z.object({ state: z.literal("gone"), since: epochMs }),
  z.object({ state: z.literal("unknown") }),
])

export const sessionView = sessionRef
  .extend({
    named: z.boolean(),
    /** The session as events name it. */
    key: z.string(),
    /** The client's own name and version, as it says; and the folder it works in, where that is known. */
    client: z.string().nullable(),
    folder: z.string().nullable(),
    /** The switches that its program was started with, by which that asks less by itself; as it says. */
    switches: z.array(z.string()).readonly(),
    firstCall: toolRef.nullable(),
    /** The first words of the task, where the session is that of an agent run; its id is the run's. Null: it is none, or the run was deleted. */
    runTitle: z.string().nullable(),
    startedAt: epochMs.nullable(),
    lastSeenAt: epochMs.nullable(),
    connection,
    /** The name that people gave it; null until somebody has named it. */
    label: z.string().nullable(),
    mode,
    modeUntil: epochMs.nullable(),
    modeBy: z.string().nullable(),
    endedAt: epochMs.nullable(),
    waiting: z.int(),
    /** Tools denied too often in it, refused until a person lifts that. */
    refused: z.array(toolRef).readonly(),
    grants: z.array(grantView).readonly(),
  })
  .meta({ id: "Session" })
export type SessionView = z.infer<typeof sessionView>
