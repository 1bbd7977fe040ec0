import { z } from "zod"
import { clearGrantsBody, forgetBody, grantBody, grantLevelBody, grantsFile } from "../bodies.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { importedGrants } from "../verdict/answers.ts"
import { grantView } from "../views/grant-view.ts"
import { id, listOf } from "./route-parts.ts"

export const grantRoutes = {
  listGrants: defineRoute({
    method: "GET",
    path: "/api/grants",
    summary: "Saved permissions",
    credential: "reviewer",
    query: z.strictObject({ server: z.string().exactOptional(), principal: z.string().exactOptional() }),
    answer: json(listOf(grantView)),
  }),
  addGrant: defineRoute({
    method: "POST",
    path: "/api/grants",
    summary: "Save a permission",
    credential: "reviewer",
    presenceWhen: "allowing",
    body: grantBody,
    answer: json(grantView),
  }),
  revokeGrant: defineRoute({
    method: "POST",
    path: "/api/grants/:id/forget",
    summary: "Revoke a permission",
    credential: "reviewer",
    presenceWhen: "it revokes a denial",
    params: id,
    body: forgetBody,
    answer: nothing,
  }),
  clearGrants: defineRoute({
    method: "POST",
    path: "/api/grants/clear",
    summary: "Revoke all permissions of a server or a session",
    credential: "reviewer",
    presenceWhen: "a denial is among them",
    body: clearGrantsBody,
    answer: json(z.object({ revoked: z.int() })),
  }),
  setGrantLevel: defineRoute({
    method: "POST",
    path: "/api/grants/:id/level",
    summary: "Change a permission's level",
    credential: "reviewer",
    presenceWhen: "it allows, or revokes a denial",
    params: id,
    body: grantLevelBody,
    answer: json(z.object({ grant: grantView.nullable() })),
  }),
  exportGrants: defineRoute({
    method: "GET",
    path: "/api/grants/export",
    summary: "Permissions that apply to every session, as a file",
    credential: "reviewer",
    answer: json(grantsFile),
  }),
  importGrants: defineRoute({
    method: "POST",
    path: "/api/grants/import",
    summary: "Import such a file, with a result per grant",
    credential: "reviewer",
    presenceWhen: "it allows anything",
    body: grantsFile,
    answer: json(importedGrants),
  }),
} as const
