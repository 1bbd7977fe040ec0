import { z } from "zod"
import { editBody, extendBody, rerunBody, runNowBody, undoBody, verdictBody, verdictsBody } from "../bodies.ts"
import { pageOf } from "../json.ts"
import { defineRoute, json } from "../route.ts"
import { answered, answeredAll } from "../verdict/answers.ts"
import { approvalStatus, approvalSummaryView, approvalView } from "../views/approval-view.ts"
import { currentContentView, editPreviewView, undoView } from "../views/call-view.ts"
import { after, id, limit, someOf, time } from "./route-parts.ts"

export const approvalRoutes = {
  listApprovals: defineRoute({
    method: "GET",
    path: "/api/approvals",
    summary: "Held calls, newest first, without their arguments",
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
    answer: json(pageOf(approvalSummaryView)),
  }),
  getApproval: defineRoute({
    method: "GET",
    path: "/api/approvals/:id",
    summary: "One held call, whole, with what it nearly repeats",
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
    summary: "Extend a waiting call's deadline",
    credential: "reviewer with presence",
    params: id,
    body: extendBody,
    answer: json(answered),
  }),
  revokeApproval: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/revoke",
    summary: "Revoke an approval that the agent has not used yet",
    credential: "reviewer",
    params: id,
    answer: json(answered),
  }),
  rerunApproval: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/rerun",
    summary: "Rerun a call that failed or whose outcome is unknown, as a new approval",
    credential: "reviewer with presence",
    params: id,
    body: rerunBody,
    answer: json(answered),
  }),
  runApprovalNow: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/run-now",
    summary: "Run an approved call that nobody waits for, and keep its result for the agent",
    credential: "reviewer with presence",
    params: id,
    body: runNowBody,
    answer: json(answered),
  }),
  previewUndo: defineRoute({
    method: "GET",
    path: "/api/approvals/:id/undo",
    summary: "What putting back the file that a call changed would do; sends nothing",
    credential: "reviewer",
    params: id,
    answer: json(undoView),
  }),
  undoApproval: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/undo",
    summary: "Put back the file that a call changed, as a new approval that names it",
    credential: "reviewer with presence",
    params: id,
    body: undoBody,
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
  previewEdit: defineRoute({
    method: "POST",
    path: "/api/approvals/:id/preview",
    summary: "What a held call would change, and its risks, with arguments a reviewer has edited; decides nothing",
    credential: "reviewer",
    params: id,
    body: editBody,
    answer: json(editPreviewView),
  }),
} as const
