import { z } from "zod"
import { mostBodyBytes } from "../gate/gate-wire.ts"
import { pageOf } from "../json.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { agUiBody, continueRunBody, exportRunBody, importRunBody, startRunBody, uiChatBody } from "../run-bodies.ts"
import {
  exportedRunView,
  runAnswerView,
  runDetailsView,
  runStatus,
  runSummaryView,
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
    presenceWhen: "a reviewer starts it",
    query: z.strictObject({ wait }),
    body: startRunBody,
    answer: json(runAnswerView),
  }),
  listRuns: defineRoute({
    method: "GET",
    path: "/api/runs",
    summary: "Agent runs, newest first, without what their starters sent",
    credential: "reviewer or runner",
    query: z.strictObject({ status: someOf(runStatus.options), after, limit }),
    answer: json(pageOf(runSummaryView)),
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
    presenceWhen: "a reviewer does anything but deny",
    params: id,
    query: z.strictObject({ wait }),
    body: continueRunBody,
    answer: json(runAnswerView),
  }),
  answerAgUi: defineRoute({
    method: "POST",
    path: "/api/runs/ag-ui",
    summary: "Begin an agent run, go on with one, or answer its calls, for a page that speaks AG-UI",
    credential: "reviewer or runner",
    presenceWhen: "a reviewer asks",
    body: agUiBody,
    mostBytes: mostBodyBytes,
    answer: { kind: "text", type: "text/event-stream", what: "Events of AG-UI 1.0" },
  }),
  answerUiChat: defineRoute({
    method: "POST",
    path: "/api/runs/chat",
    summary: "Begin an agent run, go on with one, or answer its calls, for a page with AI SDK's useChat",
    credential: "reviewer or runner",
    presenceWhen: "a reviewer asks",
    body: uiChatBody,
    mostBytes: mostBodyBytes,
    answer: { kind: "text", type: "text/event-stream", what: "AI SDK's UI message stream" },
  }),
  reopenUiChat: defineRoute({
    method: "GET",
    path: "/api/runs/chat/:id/stream",
    summary: "The agent's last message of a chat from its beginning, and what follows; 204 where there is no such chat",
    credential: "reviewer or runner",
    params: id,
    answer: { kind: "text", type: "text/event-stream", what: "AI SDK's UI message stream" },
  }),
  cancelRun: defineRoute({
    method: "POST",
    path: "/api/runs/:id/cancel",
    summary: "End an agent run, and withdraw what waits for it",
    credential: "reviewer or runner",
    params: id,
    answer: json(runView),
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
