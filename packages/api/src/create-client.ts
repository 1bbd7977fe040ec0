import { readStoredJson } from "@byleave/core"
import type { z } from "zod"
import { ApiError } from "./api-error.ts"
import { type Problem, problem } from "./problem.ts"
import { readEventStream } from "./read-event-stream.ts"
import type { Route } from "./route.ts"
import { type RouteName, type Routes, routes } from "./routes.ts"
import type { EventView } from "./views/event-view.ts"

export type ClientOptions = {
  /** The service's origin, such as `http://127.0.0.1:7337`. */
  readonly url: string
  readonly fetch?: typeof fetch
  /** Makes the DPoP proof of a reviewer's request. */
  readonly sign?: (request: { readonly method: string; readonly url: string; readonly body: string }) => Promise<string>
  /** A gate's or an agent's token. */
  readonly token?: string
}

/** What the service answered: what was asked for, or a problem in a sentence. Only a service that cannot be asked throws. */
export type Reply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }

type Part<Name extends string, Schema> = Schema extends z.ZodType
  ? { readonly [Key in Name]: z.input<Schema> }
  : unknown
type OptionalPart<Name extends string, Schema> = Schema extends z.ZodType
  ? { readonly [Key in Name]?: z.input<Schema> }
  : unknown
type Field<Defined, Key extends string> = Defined extends { readonly [K in Key]: infer Value } ? Value : undefined

/** What a call of this route takes. */
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
    ? (input?: InputOf<Defined>) => Promise<Reply<AnswerOf<Defined>>>
    : (input: InputOf<Defined>) => Promise<Reply<AnswerOf<Defined>>>

type TextRoute = "events" | "exportAudit" | "metrics"

export type Client = { readonly [Name in Exclude<RouteName, TextRoute>]: Call<Routes[Name]> } & {
  /** One connection's events, from `after` on; ends when the connection does. `followEvents` comes back. */
  readonly events: (options: {
    readonly after?: number
    readonly signal?: AbortSignal
  }) => Promise<Reply<AsyncIterable<EventView>>>
  /** The bytes of an answer that is not JSON. */
  readonly stream: (
    name: TextRoute,
    input?: { readonly query?: Readonly<Record<string, string>>; readonly signal?: AbortSignal },
  ) => Promise<Reply<ReadableStream<Uint8Array>>>
}

type Input = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** A function per route, typed by the table the server validates with. */
export function createClient(options: ClientOptions): Client {
  const names = Object.keys(routes) as RouteName[]
  const calls = names.map((name) => [name, (input: Input = {}) => callJson(options, routes[name], input)])
  return {
    ...Object.fromEntries(calls),
    events: async ({ after, signal }) => {
      const query = after === undefined ? {} : { after }
      const reply = await ask(options, routes.events, { query, ...(signal === undefined ? {} : { signal }) })
      return reply.ok ? { ok: true, value: readEventStream(bodyOf(reply.value)) } : reply
    },
    stream: async (name, input = {}) => {
      const reply = await ask(options, routes[name], input)
      return reply.ok ? { ok: true, value: bodyOf(reply.value) } : reply
    },
  } as Client
}

async function callJson(options: ClientOptions, route: Route, input: Input): Promise<Reply<unknown>> {
  const reply = await ask(options, route, input)
  if (!reply.ok) return reply
  if (route.answer.kind !== "json") return { ok: true, value: null }
  const parsed = route.answer.schema.safeParse(readBody(await reply.value.text()))
  if (parsed.success) return { ok: true, value: parsed.data }
  throw new ApiError("not-this-api", `${options.url} answered ${route.path} with something else. Is it Byleave?`)
}

async function ask(options: ClientOptions, route: Route, input: Input): Promise<Reply<Response>> {
  const url = addressOf(options.url, route, input)
  const body = input.body === undefined ? "" : JSON.stringify(input.body)
  const response = await send(options, url, {
    method: route.method,
    headers: await headersOf(options, route, url, body),
    ...(body === "" ? {} : { body }),
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  })
  return response.ok ? { ok: true, value: response } : { ok: false, problem: await problemOf(response, url) }
}

function addressOf(base: string, route: Route, input: Input): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ""))
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

async function headersOf(options: ClientOptions, route: Route, url: string, body: string): Promise<Headers> {
  const headers = new Headers({ accept: route.answer.kind === "text" ? route.answer.type : "application/json" })
  if (body !== "") headers.set("content-type", "application/json")
  if (options.token !== undefined) headers.set("authorization", `Bearer ${options.token}`)
  const proof = await options.sign?.({ method: route.method, url, body })
  if (proof !== undefined) headers.set("dpop", proof)
  return headers
}

async function send(options: ClientOptions, url: string, init: RequestInit): Promise<Response> {
  try {
    return await (options.fetch ?? fetch)(url, { ...init, redirect: "error", credentials: "omit", cache: "no-store" })
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause
    throw new ApiError("unreachable", `Nobody answers at ${options.url}. Start it with byleave serve.`, { cause })
  }
}

async function problemOf(response: Response, url: string): Promise<Problem> {
  const parsed = problem.safeParse(readBody(await response.text()))
  if (parsed.success) return parsed.data
  throw new ApiError("not-this-api", `${url} answered ${response.status} without saying why. Is it Byleave?`)
}

function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null) throw new ApiError("not-this-api", "The answer has no body. Is it Byleave?")
  return response.body
}

/** Numbers that a double cannot hold keep their text: what is shown is what was sent. */
function readBody(text: string): unknown {
  try {
    return readStoredJson(text)
  } catch {
    return undefined
  }
}
