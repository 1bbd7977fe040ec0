import { z } from "zod"
import { acceptDefinitionBody, definitionBody } from "../bodies.ts"
import { defineRoute, json, nothing } from "../route.ts"
import { pinView, serverView } from "../views/server-view.ts"
import { pinRef } from "../views/shared-schemas.ts"
import { id, listOf } from "./route-parts.ts"

export const serverRoutes = {
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
    query: z.strictObject({
      server: z.string().exactOptional(),
      /** Whether it waits for an answer. */
      waiting: z.stringbool().exactOptional(),
      /** Whether it waits, was rejected, or is in quarantine. */
      open: z.stringbool().exactOptional(),
    }),
    answer: json(listOf(pinView)),
  }),
  acceptPin: defineRoute({
    method: "POST",
    path: "/api/pins/accept",
    summary: "Accept a tool's definition, as it was shown beside the accepted one",
    credential: "reviewer with presence",
    body: acceptDefinitionBody,
    answer: nothing,
  }),
  rejectPin: defineRoute({
    method: "POST",
    path: "/api/pins/reject",
    summary: "Reject a definition, as it was shown: calls are refused until the server offers the accepted one",
    credential: "reviewer",
    body: definitionBody,
    answer: nothing,
  }),
  quarantinePin: defineRoute({
    method: "POST",
    path: "/api/pins/quarantine",
    summary: "Hide and refuse a tool, or a server as a whole, until that is lifted",
    credential: "reviewer",
    body: pinRef,
    answer: nothing,
  }),
  liftPin: defineRoute({
    method: "POST",
    path: "/api/pins/lift",
    summary: "Lift a quarantine",
    credential: "reviewer with presence",
    body: pinRef,
    answer: nothing,
  }),
} as const
