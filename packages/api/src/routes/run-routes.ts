import { z } from "zod"
import { pageOf } from "../json.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { continueRunBody, exportRunBody, importRunBody, renameRunBody, startRunBody } from "../run-bodies.ts"
import {
  exportedRunView,
  modelView,
  runAnswerView,
  runDetailsView,
  runStatus,
  runView,
  storyItemView,
} from "../views/run-view.ts"
import { after, id, limit, someOf } from "./route-parts.ts"

/** How long to wait for the run to pause or end, in seconds, before its state is told as it is. */
const wait = z.coerce.number<number | string>().min(0).max(300).default(50)

/** Agent runs. Of another's run a runner's token hears nothing. */
export const runRoutes = {
  startRun: defineRoute({
    method: "POST",
    path: "/api/runs",
    summary: "Start an agent run, and wait for its end or its first pause",
    credential: "reviewer or runner",
    query: z.strictObject({ wait }),
    body: startRunBody,
    answer: json(runAnswerView),
  }),
  listRuns: defineRoute({
    method: "GET",
    path: "/api/runs",
    summary: "Agent runs, newest first",
    credential: "reviewer or runner",
    query: z.strictObject({
      status: someOf(runStatus.options),
      principal: z.enum(["run", "chat"]).exactOptional(),
      /** Only those whose titles contain this text, in any case. */
      text: z.string().max(200).exactOptional(),
      after,
      limit,
    }),
    answer: json(pageOf(runView)),
  }),
  getRun: defineRoute({
    method: "GET",
    path: "/api/runs/:id",
    summary: "One agent run, with what it waits for",
    credential: "reviewer or runner",
    params: id,
    answer: json(runDetailsView),
  }),
  runStory: defineRoute({
    method: "GET",
    path: "/api/runs/:id/story",
    summary: "What was said and done in an agent run, oldest first, a page at a time",
    credential: "reviewer or runner",
    params: id,
    query: z.strictObject({ after: z.coerce.number<number | string>().int().min(0).default(0) }),
    answer: json(z.object({ items: z.array(storyItemView).readonly(), next: z.int().nullable() })),
  }),
  runEvents: defineRoute({
    method: "GET",
    path: "/api/runs/:id/events",
    summary: "An agent run as it goes on; the leg under way is told from its beginning",
    credential: "reviewer or runner",
    params: id,
    answer: {
      kind: "text",
      type: "text/event-stream",
      what: "Server-sent events; each `data` is a JSON object with a `type`: state, part, retry, leg-ended, removed",
    },
  }),
  continueRun: defineRoute({
    method: "POST",
    path: "/api/runs/:id/continue",
    summary: "Answer calls that an agent run waits for, give it a message, or let it try again",
    credential: "reviewer or runner",
    presenceWhen: "a reviewer approves",
    params: id,
    query: z.strictObject({ wait }),
    body: continueRunBody,
    answer: json(runAnswerView),
  }),
  cancelRun: defineRoute({
    method: "POST",
    path: "/api/runs/:id/cancel",
    summary: "End an agent run, and withdraw what waits for it",
    credential: "reviewer or runner",
    params: id,
    answer: json(runView),
  }),
  stopRun: defineRoute({
    method: "POST",
    path: "/api/runs/:id/stop",
    summary: "Stop what an agent run is doing and withdraw what waits; a message lets it go on",
    credential: "reviewer or runner",
    params: id,
    answer: nothing,
  }),
  renameRun: defineRoute({
    method: "POST",
    path: "/api/runs/:id/rename",
    summary: "Give an agent run another title",
    credential: "reviewer or runner",
    params: id,
    body: renameRunBody,
    answer: nothing,
  }),
  listModels: defineRoute({
    method: "GET",
    path: "/api/models",
    summary: "The models that agent runs can use, the default first",
    credential: "reviewer",
    answer: json(z.object({ items: z.array(modelView).readonly() })),
  }),
  exportRun: defineRoute({
    method: "POST",
    path: "/api/runs/:id/export",
    summary: "Take an agent run away as one sealed text; it ends here",
    credential: "reviewer",
    params: id,
    body: exportRunBody,
    answer: json(exportedRunView),
  }),
  importRun: defineRoute({
    method: "POST",
    path: "/api/runs/import",
    summary: "Let an agent run go on here that was exported elsewhere; calls that had not run are judged anew",
    credential: "reviewer with presence",
    query: z.strictObject({ wait }),
    body: importRunBody,
    mostBytes: 32 * 1024 * 1024,
    answer: json(runAnswerView),
  }),
  recordRun: defineRoute({
    method: "GET",
    path: "/api/runs/:id/recording",
    summary: "An agent run that is over, as a recording that can be played",
    credential: "reviewer or runner",
    params: id,
    answer: { kind: "text", type: "application/x-ndjson", what: "JSON lines: requests and events, without keys" },
  }),
  removeRun: defineRoute({
    method: "DELETE",
    path: "/api/runs/:id",
    summary: "Delete an agent run with its story; the audit stays",
    credential: "reviewer or runner",
    presenceWhen: "a reviewer deletes",
    params: id,
    answer: nothing,
  }),
} as const
