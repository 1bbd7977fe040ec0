import { z } from "zod"
import { defineRoute, json } from "../route.ts"
import { callOutcome, callsPage, insightView, storyView } from "../views/call-view.ts"
import { effect } from "../views/shared-schemas.ts"
import { after, duration, id, limit, someOf, time } from "./route-parts.ts"

export const callRoutes = {
  listCalls: defineRoute({
    method: "GET",
    path: "/api/calls",
    summary: "Every call with its decision and outcome, newest first",
    credential: "reviewer",
    query: z.strictObject({
      /** Words to find, also parts of them, in the tool, the agent, the arguments (up to 16 KiB) and the reasons given; each must be there. */
      text: z.string().trim().min(1).max(200).exactOptional(),
      effect: someOf(effect.options),
      outcome: someOf(callOutcome.options),
      server: z.string().exactOptional(),
      tool: z.string().exactOptional(),
      /** Without it, what pages read to show cards is left out: those are nobody's calls. */
      principal: z.string().exactOptional(),
      session: z.string().exactOptional(),
      decidedBy: z.string().exactOptional(),
      /** Of a refusal. */
      code: z.string().exactOptional(),
      /** The first answer a held call got; `none` where time or its caller was first, or nobody has answered yet. */
      answer: z.enum(["approved", "denied", "none"]).exactOptional(),
      /** Answered by a person after at least this long, and in no more than that. */
      decidedFromMs: duration,
      decidedToMs: duration,
      since: time,
      until: time,
      after,
      limit,
    }),
    answer: json(callsPage),
  }),
  getCall: defineRoute({
    method: "GET",
    path: "/api/calls/:id",
    summary: "A call's whole story",
    credential: "reviewer",
    params: id,
    answer: json(storyView),
  }),
  insight: defineRoute({
    method: "GET",
    path: "/api/insight",
    summary: "Counts of what was called, asked and decided",
    credential: "reviewer",
    query: z.strictObject({ since: time, until: time }),
    answer: json(insightView),
  }),
} as const
