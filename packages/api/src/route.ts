import type { z } from "zod"

/** The credential a route requires: none; a reviewer's signed request; one from a device with presence; a reviewer's, or a token that runs agents; an embedding program's token; an agent's. */
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
  /** How large a body may be; absent: a megabyte. */
  readonly mostBytes?: number
  readonly answer: RouteResult
}

export type RouteResult =
  | { readonly kind: "json"; readonly schema: z.ZodType }
  /** Nothing to say but that it is done: 204. */
  | { readonly kind: "nothing" }
  /** `or`: another type, for requests that ask for it in the query. */
  | { readonly kind: "text"; readonly type: string; readonly or?: string; readonly what: string }

export function defineRoute<const Defined extends Route>(route: Defined): Defined {
  return route
}

export function json<Schema extends z.ZodType>(schema: Schema) {
  return { kind: "json", schema } as const
}

export const nothing = { kind: "nothing" } as const
