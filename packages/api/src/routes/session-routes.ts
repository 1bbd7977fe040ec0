import { z } from "zod"
import { endSessionBody, labelBody, liftBody, modeBody } from "../bodies.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { sessionView } from "../views/session-view.ts"
import { listOf } from "./route-parts.ts"

const mostKeys = 50

const keys = z
  .string()
  .transform((list) => list.split(","))
  .pipe(z.array(z.string().max(64)).max(mostKeys))

export const sessionRoutes = {
  listSessions: defineRoute({
    method: "GET",
    path: "/api/sessions",
    summary:
      "Sessions with a mode, grants or waiting calls, or seen recently; or those that are asked for, also when they are over",
    credential: "reviewer",
    /** `k1,k2`: by the keys that calls and events name them with. Facts about a session are kept for thirty days after it was last seen. */
    /** `session`: by its id, or as agent/id. Without it, 20 of each agent that were seen are listed: first those that called something. */
    query: z.strictObject({ keys: keys.exactOptional(), session: z.string().max(2_000).exactOptional() }),
    answer: json(listOf(sessionView)),
  }),
  setMode: defineRoute({
    method: "POST",
    path: "/api/sessions/mode",
    summary: "Set a session's mode, for a while",
    credential: "reviewer with presence",
    body: modeBody,
    answer: json(sessionView),
  }),
  nameSession: defineRoute({
    method: "POST",
    path: "/api/sessions/label",
    summary: "Name a session for people",
    credential: "reviewer",
    body: labelBody,
    answer: json(sessionView),
  }),
  endSession: defineRoute({
    method: "POST",
    path: "/api/sessions/end",
    summary: "End a session: cancels what waits in it, forgets its grants and mode",
    credential: "reviewer",
    presenceWhen: "a no is among its grants, or a tool was refused in it",
    body: endSessionBody,
    answer: nothing,
  }),
  liftRefusal: defineRoute({
    method: "POST",
    path: "/api/sessions/lift",
    summary: "Unblock a tool after too many denials",
    credential: "reviewer with presence",
    body: liftBody,
    answer: json(sessionView),
  }),
} as const
