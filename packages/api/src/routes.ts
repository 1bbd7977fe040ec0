import { auditTypes } from "@byleave/core"
import { z } from "zod"
import { answered, answeredAll, importedGrants, newLink, newToken, signedIn } from "./answers.ts"
import {
  acceptBody,
  clearGrantsBody,
  explainBody,
  extendBody,
  grantBody,
  grantLevelBody,
  grantsFile,
  labelBody,
  liftBody,
  linkBody,
  modeBody,
  pinBody,
  policyTextBody,
  rerunBody,
  reviewerBody,
  savePolicyBody,
  signInBody,
  tokenBody,
  verdictBody,
  verdictsBody,
} from "./bodies.ts"
import { epochMs, jsonObject, pageOf } from "./json.ts"
import { defineRoute, json, nothing } from "./route.ts"
import { approvalStatus, approvalView } from "./views/approval-view.ts"
import { auditRecordView, auditReportView } from "./views/audit-view.ts"
import { callOutcome, callsPage, currentContentView, insightView, storyView } from "./views/call-view.ts"
import { deviceView, helloView, meView, reviewerView, tokenView } from "./views/credential-views.ts"
import { grantView } from "./views/grant-view.ts"
import { policyPreviewView, policyTextView, suggestionView } from "./views/policy-text-view.ts"
import { explanationView, policyView } from "./views/policy-view.ts"
import { pinView, serverView } from "./views/server-view.ts"
import { sessionView } from "./views/session-view.ts"
import { effect } from "./views/shared-schemas.ts"

const id = z.object({ id: z.string() })
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item).readonly() })
const limit = z.coerce.number<number | string>().int().min(1).max(500).default(100)
const after = z.string().exactOptional()
const time = z.coerce.number<number | string>().pipe(epochMs).exactOptional()
const duration = z.coerce.number<number | string>().min(0).exactOptional()
/** `a,b,c` */
const someOf = <const Value extends string>(values: readonly Value[]) =>
  z
    .string()
    .transform((list) => list.split(","))
    .pipe(z.array(z.enum(values)))
    .exactOptional()

const auditFilter = { types: someOf(auditTypes), subject: z.string().exactOptional() }

/** The whole API: what the server validates with, the client calls by, and the OpenAPI document is made from. */
export const routes = {
  hello: defineRoute({
    method: "GET",
    path: "/api/hello",
    summary: "Who answers here, and proof that it holds the data folder's secret",
    credential: "none",
    query: z.strictObject({ challenge: z.string().min(16).max(200).exactOptional() }),
    answer: json(helloView),
  }),
  me: defineRoute({
    method: "GET",
    path: "/api/me",
    summary: "Who I am here, and whether I may approve",
    credential: "reviewer",
    answer: json(meView),
  }),

  listApprovals: defineRoute({
    method: "GET",
    path: "/api/approvals",
    summary: "Held calls, newest first",
    credential: "reviewer",
    query: z.strictObject({
      status: someOf(approvalStatus.options),
      principal: z.string().exactOptional(),
      session: z.string().exactOptional(),
      server: z.string().exactOptional(),
      tool: z.string().exactOptional(),
      since: time,
      after,
      limit,
    }),
    answer: json(pageOf(approvalView)),
  }),
  getApproval: defineRoute({
    method: "GET",
    path: "/api/approvals/:id",
    summary: "One held call, with what it nearly repeats",
    credential: "reviewer",
    params: id,
    answer: json(approvalView),
  }),
  giveVerdict: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/verdict",
    summary: "Approve or deny a held call, as it was shown",
    credential: "reviewer",
    presenceWhen: "approving",
    params: id,
    body: verdictBody,
    answer: json(answered),
  }),
  giveVerdicts: defineRoute({
    method: "POST",
    path: "/api/verdicts",
    summary: "Several verdicts, an answer to each",
    credential: "reviewer",
    presenceWhen: "approving any",
    body: verdictsBody,
    answer: json(answeredAll),
  }),
  extendApproval: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/extend",
    summary: "Let a call wait longer",
    credential: "reviewer with presence",
    params: id,
    body: extendBody,
    answer: json(answered),
  }),
  rerunApproval: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/rerun",
    summary: "Run anew what failed or was lost, as a new approval",
    credential: "reviewer with presence",
    params: id,
    body: rerunBody,
    answer: json(answered),
  }),

  currentContent: defineRoute({
    method: "GET",
    path: "/api/approvals/:id/current",
    summary: "What the file that a call would change holds now, where policy lets it be read",
    credential: "reviewer",
    params: id,
    answer: json(currentContentView),
  }),

  listGrants: defineRoute({
    method: "GET",
    path: "/api/grants",
    summary: "What is remembered",
    credential: "reviewer",
    query: z.strictObject({ server: z.string().exactOptional(), principal: z.string().exactOptional() }),
    answer: json(listOf(grantView)),
  }),
  addGrant: defineRoute({
    method: "POST",
    path: "/api/grants",
    summary: "Remember an answer to calls to come",
    credential: "reviewer",
    presenceWhen: "allowing",
    body: grantBody,
    answer: json(grantView),
  }),
  revokeGrant: defineRoute({
    method: "DELETE",
    path: "/api/grants/:id",
    summary: "Forget a remembered answer",
    credential: "reviewer",
    presenceWhen: "it is a no that is forgotten",
    params: id,
    answer: nothing,
  }),
  clearGrants: defineRoute({
    method: "POST",
    path: "/api/grants/clear",
    summary: "Forget all remembered answers of a server or a session",
    credential: "reviewer",
    presenceWhen: "a no is among them",
    body: clearGrantsBody,
    answer: json(z.object({ revoked: z.int() })),
  }),

  setGrantLevel: defineRoute({
    method: "POST",
    path: "/api/grants/:id/level",
    summary: "Change what is remembered to another level",
    credential: "reviewer",
    presenceWhen: "it allows, or a no is forgotten",
    params: id,
    body: grantLevelBody,
    answer: json(z.object({ grant: grantView.nullable() })),
  }),
  exportGrants: defineRoute({
    method: "GET",
    path: "/api/grants/export",
    summary: "What is remembered for every session, as a file",
    credential: "reviewer",
    answer: json(grantsFile),
  }),
  importGrants: defineRoute({
    method: "POST",
    path: "/api/grants/import",
    summary: "Remember what such a file says, an answer per grant",
    credential: "reviewer",
    presenceWhen: "it allows anything",
    body: grantsFile,
    answer: json(importedGrants),
  }),

  listServers: defineRoute({
    method: "GET",
    path: "/api/servers",
    summary: "The servers behind the gate, their health and tools",
    credential: "reviewer",
    answer: json(listOf(serverView)),
  }),
  getServer: defineRoute({
    method: "GET",
    path: "/api/servers/:id",
    summary: "One server",
    credential: "reviewer",
    params: id,
    answer: json(serverView),
  }),
  restartServer: defineRoute({
    method: "POST",
    path: "/api/servers/:id/restart",
    summary: "End its connections and open new ones on demand",
    credential: "reviewer with presence",
    params: id,
    answer: nothing,
  }),
  stopServer: defineRoute({
    method: "POST",
    path: "/api/servers/:id/stop",
    summary: "End its connections and open none until it is started",
    credential: "reviewer",
    params: id,
    answer: nothing,
  }),
  startServer: defineRoute({
    method: "POST",
    path: "/api/servers/:id/start",
    summary: "Connect to it, and list its tools",
    credential: "reviewer with presence",
    params: id,
    answer: json(serverView),
  }),
  listPins: defineRoute({
    method: "GET",
    path: "/api/pins",
    summary: "Accepted definitions, and those that wait to be accepted",
    credential: "reviewer",
    query: z.strictObject({ server: z.string().exactOptional(), waiting: z.stringbool().exactOptional() }),
    answer: json(listOf(pinView)),
  }),
  acceptPin: defineRoute({
    method: "POST",
    path: "/api/pins/accept",
    summary: "Accept a tool's definition, as it was shown",
    credential: "reviewer with presence",
    body: acceptBody,
    answer: nothing,
  }),

  listSessions: defineRoute({
    method: "GET",
    path: "/api/sessions",
    summary: "Sessions with a mode, grants or waiting calls",
    credential: "reviewer",
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
    body: z.strictObject({ principal: z.string(), id: z.string() }),
    answer: nothing,
  }),
  liftRefusal: defineRoute({
    method: "POST",
    path: "/api/sessions/lift",
    summary: "Let a tool be asked for again after too many denials",
    credential: "reviewer with presence",
    body: liftBody,
    answer: json(sessionView),
  }),

  listTokens: defineRoute({
    method: "GET",
    path: "/api/tokens",
    summary: "Tokens of agents and embedding programs",
    credential: "reviewer",
    answer: json(listOf(tokenView)),
  }),
  addToken: defineRoute({
    method: "POST",
    path: "/api/tokens",
    summary: "Make a token; its secret is told once",
    credential: "reviewer with presence",
    body: tokenBody,
    answer: json(newToken),
  }),
  revokeToken: defineRoute({
    method: "DELETE",
    path: "/api/tokens/:id",
    summary: "Revoke a token",
    credential: "reviewer",
    params: id,
    answer: nothing,
  }),
  listReviewers: defineRoute({
    method: "GET",
    path: "/api/reviewers",
    summary: "People who may decide",
    credential: "reviewer",
    answer: json(listOf(reviewerView)),
  }),
  addReviewer: defineRoute({
    method: "POST",
    path: "/api/reviewers",
    summary: "Add a person who may decide",
    credential: "reviewer with presence",
    body: reviewerBody,
    answer: json(reviewerView),
  }),
  removeReviewer: defineRoute({
    method: "DELETE",
    path: "/api/reviewers/:id",
    summary: "Remove a person and sign out all their devices",
    credential: "reviewer with presence",
    params: id,
    answer: nothing,
  }),
  setPin: defineRoute({
    method: "POST",
    path: "/api/reviewers/:id/pin",
    summary: "Change my PIN",
    credential: "reviewer with presence",
    params: id,
    body: pinBody,
    answer: nothing,
  }),
  listDevices: defineRoute({
    method: "GET",
    path: "/api/devices",
    summary: "Signed-in browsers and terminals",
    credential: "reviewer",
    answer: json(listOf(deviceView)),
  }),
  revokeDevice: defineRoute({
    method: "DELETE",
    path: "/api/devices/:id",
    summary: "Sign a device out",
    credential: "reviewer",
    params: id,
    answer: nothing,
  }),
  mintLink: defineRoute({
    method: "POST",
    path: "/api/sign-in/links",
    summary: "Make a one-time sign-in link, good for ten minutes",
    credential: "reviewer with presence",
    body: linkBody,
    answer: json(newLink),
  }),
  signIn: defineRoute({
    method: "POST",
    path: "/api/sign-in",
    summary: "Register this browser's key with a link and the PIN; the request is signed with that key",
    credential: "none",
    body: signInBody,
    answer: json(signedIn),
  }),
  signOut: defineRoute({
    method: "POST",
    path: "/api/sign-out",
    summary: "Forget this device's key",
    credential: "reviewer",
    answer: nothing,
  }),

  getPolicy: defineRoute({
    method: "GET",
    path: "/api/policy",
    summary: "The rules in force",
    credential: "reviewer",
    answer: json(policyView),
  }),
  getPolicyText: defineRoute({
    method: "GET",
    path: "/api/policy/text",
    summary: "The configuration file as it is written",
    credential: "reviewer",
    answer: json(policyTextView),
  }),
  previewPolicy: defineRoute({
    method: "POST",
    path: "/api/policy/preview",
    summary: "What a text would change: rules, known tools, and the last 1,000 recorded calls; changes nothing",
    credential: "reviewer",
    body: policyTextBody,
    answer: json(policyPreviewView),
  }),
  savePolicy: defineRoute({
    method: "PUT",
    path: "/api/policy/text",
    summary: "Save the configuration and put it in force",
    credential: "reviewer",
    presenceWhen: "it does anything but tighten",
    body: savePolicyBody,
    answer: json(policyTextView),
  }),
  suggestRules: defineRoute({
    method: "GET",
    path: "/api/policy/suggestions",
    summary: "Rules that would have answered past questions as people did",
    credential: "reviewer",
    answer: json(listOf(suggestionView)),
  }),
  explainPolicy: defineRoute({
    method: "POST",
    path: "/api/policy/explain",
    summary: "What would happen to a call, and why; records nothing",
    credential: "reviewer",
    body: explainBody,
    answer: json(explanationView),
  }),

  listCalls: defineRoute({
    method: "GET",
    path: "/api/calls",
    summary: "Every call with its decision and outcome, newest first",
    credential: "reviewer",
    query: z.strictObject({
      effect: someOf(effect.options),
      outcome: someOf(callOutcome.options),
      server: z.string().exactOptional(),
      tool: z.string().exactOptional(),
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

  listAudit: defineRoute({
    method: "GET",
    path: "/api/audit",
    summary: "The audit, newest first",
    credential: "reviewer",
    query: z.strictObject({ ...auditFilter, after, limit }),
    answer: json(pageOf(auditRecordView)),
  }),
  verifyAudit: defineRoute({
    method: "GET",
    path: "/api/audit/verify",
    summary: "Prove chains and life cycles",
    credential: "reviewer",
    answer: json(auditReportView),
  }),
  exportAudit: defineRoute({
    method: "GET",
    path: "/api/audit/export",
    summary: "All records, newest first: a JSON object per line, or a table that is safe to open in a spreadsheet",
    credential: "reviewer",
    query: z.strictObject({ ...auditFilter, format: z.enum(["jsonl", "csv"]).default("jsonl") }),
    answer: { kind: "text", type: "application/x-ndjson", or: "text/csv", what: "An audit record per line" },
  }),
  events: defineRoute({
    method: "GET",
    path: "/api/events",
    summary: "What becomes true, as it does; resumable by Last-Event-ID or `after`",
    credential: "reviewer",
    query: z.strictObject({ after: z.coerce.number<number | string>().int().min(0).exactOptional() }),
    answer: { kind: "text", type: "text/event-stream", what: "Events whose data is an EventView" },
  }),
  openapi: defineRoute({
    method: "GET",
    path: "/api/openapi.json",
    summary: "This document",
    credential: "none",
    answer: json(jsonObject),
  }),
  healthz: defineRoute({
    method: "GET",
    path: "/healthz",
    summary: "The process answers",
    credential: "none",
    answer: json(z.object({ ok: z.literal(true) })),
  }),
  readyz: defineRoute({
    method: "GET",
    path: "/readyz",
    summary: "The store answers as well",
    credential: "none",
    answer: json(z.object({ ok: z.literal(true) })),
  }),
  metrics: defineRoute({
    method: "GET",
    path: "/metrics",
    summary: "Counts for Prometheus; no names, no arguments",
    credential: "none",
    answer: { kind: "text", type: "text/plain; version=0.0.4", what: "Prometheus text" },
  }),
} as const

export type Routes = typeof routes
export type RouteName = keyof Routes
