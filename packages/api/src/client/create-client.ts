import type { z } from "zod"
import { ApiError } from "../api-error.ts"
import { askService, type ClientOptions, type Input, readBody, type ServiceReply } from "../gate/ask-service.ts"
import type { Route } from "../route.ts"
import { type RouteName, type Routes, routes } from "../routes.ts"
import type { EventView } from "../views/event-view.ts"
import type { RunEventView } from "../views/run-view.ts"
import { textStreams } from "./text-streams.ts"

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? { readonly [Key in Name]: z.input<Schema> }
  : unknown
type OptionalPart<Name extends string, Schema> = Schema extends z.ZodType
  ? { readonly [Key in Name]?: z.input<Schema> }
  : unknown
type Field<Defined, Key extends string> = Defined extends { readonly [K in Key]: infer Value } ? Value : undefined

export type InputOf<Defined extends Route> = Part<"params", Field<Defined, "params">> &
  OptionalPart<"query", Field<Defined, "query">> &
  Part<"body", Field<Defined, "body">> & { readonly signal?: AbortSignal }

export type AnswerOf<Defined extends Route> = Defined["answer"] extends {
  readonly schema: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : null

type Call<Defined extends Route> =
  Record<never, never> extends InputOf<Defined>
    ? (input?: InputOf<Defined>) => Promise<ServiceReply<AnswerOf<Defined>>>
    : (input: InputOf<Defined>) => Promise<ServiceReply<AnswerOf<Defined>>>

export type TextRoute = "events" | "exportAudit" | "metrics" | "recordRun" | "runEvents" | "saveThread"

/** Routes that clients of other protocols call. */
type ForeignRoute = "answerAgUi" | "answerUiChat" | "reopenUiChat"

export type Client = { readonly [Name in Exclude<RouteName, TextRoute | ForeignRoute>]: Call<Routes[Name]> } & {
  /** One connection's events, from `after` on; ends when the connection does. `followEvents` comes back. */
  readonly events: (options: {
    readonly after?: number
    readonly signal?: AbortSignal
  }) => Promise<ServiceReply<AsyncIterable<EventView>>>
  /** One connection's news of a run; ends when the connection does, or the run is deleted. */
  readonly runEvents: (options: {
    readonly params: { readonly id: string }
    readonly signal?: AbortSignal
  }) => Promise<ServiceReply<AsyncIterable<RunEventView>>>
  /** The bytes of an answer that is not JSON. */
  readonly stream: (
    name: TextRoute,
    input?: {
      readonly params?: { readonly id: string }
      readonly query?: Readonly<Record<string, string>>
      readonly signal?: AbortSignal
    },
  ) => Promise<ServiceReply<ReadableStream<Uint8Array>>>
}

/** A function per route, typed by the table the server validates with; every answer is held to it. */
export function createClient(options: ClientOptions): Client {
  const calls = Object.entries(routes).map(([name, route]) => [
    name,
    (input?: Input) => callJson(options, route, input),
  ])
  return { ...Object.fromEntries(calls), ...textStreams(options, routes) } as Client
}

async function callJson(options: ClientOptions, route: Route, input: Input = {}): Promise<ServiceReply<unknown>> {
  const reply = await askService(options, route, input)
  if (!reply.ok) return reply
  if (route.answer.kind !== "json") return { ok: true, value: null }
  const parsed = route.answer.schema.safeParse(readBody(await reply.value.text()))
  if (parsed.success) return { ok: true, value: parsed.data }
  throw new ApiError("not-this-api", `${options.url} returned an unexpected response for ${route.path}. Is it Byleave?`)
}
