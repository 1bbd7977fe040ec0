import { z } from "zod"
import { jsonObject } from "../json.ts"
import { defineRoute, json } from "../route.ts"
import { helloView } from "../views/credential-views.ts"

/** The service itself: who answers, what happens, how it fares. */
export const serviceRoutes = {
  hello: defineRoute({
    method: "GET",
    path: "/api/hello",
    summary: "Who answers here, and proof that the address is its own and it holds the data folder's secret",
    credential: "none",
    query: z.strictObject({
      challenge: z.string().min(16).max(200).exactOptional(),
      /** The origin that was dialled, such as `http://127.0.0.1:7337`. */
      address: z.string().max(300).exactOptional(),
    }),
    answer: json(helloView),
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
