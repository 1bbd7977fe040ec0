import { z } from "zod"
import { importedGrants } from "../answers.ts"
import { clearGrantsBody, forgetBody, grantBody, grantLevelBody, grantsFile } from "../bodies.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { grantView } from "../views/grant-view.ts"
import { id, listOf } from "./route-parts.ts"

/** What is remembered. */
export const grantRoutes = {
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
    method: "POST",
    path: "/api/grants/:id/forget",
    summary: "Forget a remembered answer",
    credential: "reviewer",
    presenceWhen: "it is a no that is forgotten",
    params: id,
    body: forgetBody,
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
} as const
