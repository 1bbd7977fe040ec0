/** Sends requests to the service, for every kind of caller and answer. Holds no schema: pages are small. */
import { readStoredJson } from "@byleave/core"
import { ApiError } from "../api-error.ts"
import type { Problem } from "../problem.ts"
import type { Route } from "../route.ts"

export type ClientOptions = {
  /** The service's origin, such as `http://127.0.0.1:7337`. */
  readonly url: string
  readonly fetch?: typeof fetch
  /** Makes the DPoP proof of a reviewer's request. */
  readonly sign?: (request: { readonly method: string; readonly url: string; readonly body: string }) => Promise<string>
  /** A gate's or an agent's token. */
  readonly token?: string
}

/** The service's answer: the requested value, or a problem in a sentence. Only a service that cannot be reached throws. */
export type ServiceReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem }

/** The parts of a route that a request needs. */
export type Address = Pick<Route, "method" | "path"> & {
  readonly answer: { readonly kind: Route["answer"]["kind"]; readonly type?: string }
}

export type Input = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Asks by a route; a problem the service states is a value, and only a service that cannot be asked throws. */
export async function askService(
  options: ClientOptions,
  route: Address,
  input: Input,
): Promise<ServiceReply<Response>> {
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

function addressOf(base: string, route: Address, input: Input): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ""))
  const url = new URL(path, base)
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

async function headersOf(options: ClientOptions, route: Address, url: string, body: string): Promise<Headers> {
  const headers = new Headers({ accept: route.answer.type ?? "application/json" })
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
    if (wasThere(cause)) {
      throw new ApiError("cut-off", `The service at ${options.url} did not answer. It may be busy: try again.`, {
        cause,
      })
    }
    throw new ApiError("unreachable", `Nothing is running at ${options.url}. Start it with byleave serve.`, { cause })
  }
}

/** Whether somebody took the connection and then did not answer. Browsers do not say. */
function wasThere(cause: unknown): boolean {
  const why = cause instanceof Error ? cause.cause : undefined
  return why instanceof Error && "code" in why && brokenOff.has(String(why.code))
}

const brokenOff: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "EPIPE",
  "UND_ERR_SOCKET",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
])

async function problemOf(response: Response, url: string): Promise<Problem> {
  const said = readBody(await response.text())
  if (isProblem(said)) return said
  throw new ApiError("not-this-api", `${url} returned ${response.status} without a reason. Is it Byleave?`)
}

export function bodyOf(response: Response): ReadableStream<Uint8Array> {
  if (response.body === null) throw new ApiError("not-this-api", "The response has no body. Is it Byleave?")
  return response.body
}

/** Numbers that a double cannot hold keep their text: what is shown is what was sent. */
export function readBody(text: string): unknown {
  try {
    return readStoredJson(text)
  } catch {
    return undefined
  }
}

function isProblem(said: unknown): said is Problem {
  if (typeof said !== "object" || said === null) return false
  const { status, code, detail } = said as Partial<Problem>
  return typeof status === "number" && typeof code === "string" && typeof detail === "string"
}
