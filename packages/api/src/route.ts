import type { z } from "zod"

/** Who may ask: anyone; a reviewer's signed request; one whose device has presence; a reviewer's, or a token that runs agents; an embedding program's token; an agent's. */
export type Credential = "none" | "reviewer" | "reviewer with presence" | "reviewer or runner" | "gate" | "agent"

export type Route = {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** `:name` marks what `params` describes. */
  readonly path: string
  readonly summary: string
  readonly credential: Credential
  /** When a route for any reviewer asks for presence all the same. */
  readonly presenceWhen?: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** Its body brings a whole conversation, and may have 8 MiB instead of 1. */
  readonly takesConversation?: true
  readonly answer: RouteResult
}

export type RouteResult =
  | { readonly kind: "json"; readonly schema: z.ZodType }
  /** Nothing to say but that it is done: 204. */
  | { readonly kind: "nothing" }
  /** `or`: another type, for whoever asks for it in the query. */
  | { readonly kind: "text"; readonly type: string; readonly or?: string; readonly what: string }

export function defineRoute<const Defined extends Route>(route: Defined): Defined {
  return route
}

export function json<Schema extends z.ZodType>(schema: Schema) {
  return { kind: "json", schema } as const
}

export const nothing = { kind: "nothing" } as const
