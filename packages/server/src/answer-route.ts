/** One request to one route: who asks, what they sent, and the answer. Nothing reaches a handler that the table does not allow. */
import type { Route, RouteName } from "@byleave/api"
import { CallError, freeBodyBytes, StoreError } from "@byleave/core"
import type { z } from "zod"
import { admitRunner } from "./guard/admit-runner.ts"
import { mostBytes, parseBody, readBody, readWithin } from "./guard/read-body.ts"
import type { RunCaller } from "./guard/run-caller.ts"
import { untilRevoked } from "./guard/until-revoked.ts"
import { needPresence, type RequestIdentity, whoAsks } from "./guard/who-asks.ts"
import { handlers } from "./handlers/all-handlers.ts"
import type { Handler } from "./handlers/handler.ts"
import { isRefused, problemResponse, type RefusedRequest, refuse } from "./refused.ts"
import type { ApiService } from "./service.ts"

export async function answerRoute(
  service: ApiService,
  name: RouteName,
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  try {
    const answer = await answerOf(service, name, route, request, params)
    return isRefused(answer) ? problemResponse(answer) : answer
  } catch (error) {
    return problemResponse(refusedBy(service, error))
  }
}

async function answerOf(
  service: ApiService,
  name: RouteName,
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response | RefusedRequest> {
  const admitted = await admit(service, route, request)
  if (isRefused(admitted)) return admitted
  const { who, text } = admitted
  const asked = readAsked(route, request, text, params)
  if (isRefused(asked)) return asked
  // The table and the handlers have the same types by name; a union over all names cannot say so.
  const handle = handlers[name] as unknown as Handler<"hello">
  const answer: unknown = await asWhoAsks(service, who, () =>
    handle(service, { ...asked, request, text, who } as never),
  )
  if (isRefused(answer)) return answer
  if (answer instanceof Response) return untilRevoked(service, who, answer)
  if (route.answer.kind === "nothing") return new Response(null, { status: 204 })
  return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } })
}

/** A bearer's request is done for the bearer from its beginning. */
function asWhoAsks<Result>({ asReader }: ApiService, who: Admitted["who"], work: () => Result): Result {
  if (asReader === undefined || who === null || !("reviewer" in who)) return work()
  return asReader(`reviewer ${who.reviewer.id}`, work)
}

type Admitted = { readonly who: RequestIdentity | RunCaller | null; readonly text: string }

/** The caller and the body. Only a little is read of a body from an unknown caller. */
async function admit(service: ApiService, route: Route, request: Request): Promise<Admitted | RefusedRequest> {
  if (route.credential === "none") {
    const text = await readBody(request, freeBodyBytes)
    return isRefused(text) ? text : { who: null, text }
  }
  if (route.credential === "reviewer or runner") return admitRunCaller(service, route, request)
  return admitReviewer(service, route, request)
}

async function admitReviewer(
  service: ApiService,
  route: Pick<Route, "credential" | "mostBytes">,
  request: Request,
): Promise<{ readonly who: RequestIdentity; readonly text: string } | RefusedRequest> {
  const asking = {
    credentials: service.credentials.ports,
    spent: service.spent,
    addresses: service.addresses(),
    origins: service.origins(),
    ...(service.asReader === undefined ? {} : { asReader: service.asReader }),
  }
  const asked = await whoAsks(asking, request, (reviewer) => {
    service.unread.asks(request, `reviewer ${reviewer}`)
    return readWithin(service.reviewerBodies, reviewer, request, route.mostBytes ?? mostBytes)
  })
  if (isRefused(asked) || route.credential !== "reviewer with presence") return asked
  return needPresence(asked.who) ?? asked
}

/** A bearer token is a runner's or nobody's; everyone else signs as a reviewer. */
async function admitRunCaller(service: ApiService, route: Route, request: Request): Promise<Admitted | RefusedRequest> {
  if (request.headers.get("authorization") === null) {
    const asked = await admitReviewer(service, { ...route, credential: "reviewer" }, request)
    return isRefused(asked) ? asked : { ...asked, who: { kind: "reviewer", ...asked.who } }
  }
  const admitted = await admitRunner(service, request, route.mostBytes ?? mostBytes)
  if (admitted === null) return refuse("wrong-credential", runnerNeeded)
  return isRefused(admitted) ? admitted : { who: { kind: "runner", ...admitted.runner }, text: admitted.text }
}

const runnerNeeded =
  "Only a reviewer, or a token made with byleave tokens add NAME --runner that was not revoked, may use agent runs."

type AskedParts = { readonly params: unknown; readonly query: unknown; readonly body: unknown }

function readAsked(
  route: Route,
  request: Request,
  text: string,
  given: Readonly<Record<string, string>>,
): AskedParts | RefusedRequest {
  const search = new URL(request.url).searchParams
  const params = parsed(route.params, given, "The address")
  if (isRefused(params)) return params
  const query = parsed(route.query, Object.fromEntries(search), "The query")
  if (isRefused(query)) return query
  const body = readRequestBody(route, request, text)
  return isRefused(body) ? body : { params, query, body }
}

function readRequestBody(route: Route, request: Request, text: string): unknown | RefusedRequest {
  if (route.body === undefined) {
    return text === "" ? undefined : refuse("bad-request", "This request takes no body. Send none.")
  }
  const read = parseBody(request, text, route.mostBytes)
  return isRefused(read) ? read : parsed(route.body, read.value, "The body")
}

function parsed(schema: z.ZodType | undefined, value: unknown, what: string): unknown | RefusedRequest {
  if (schema === undefined) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.slice(0, 20).map(({ path, message }) => {
    const where = path.map(String).join(".")
    return where === "" ? message : `${where}: ${message}`
  })
  return refuse("bad-request", `${what} is invalid for this route. Correct it and send it again.`, problems)
}

/** A request that failed inside, told without its details. */
export function refusedBy(service: ApiService, error: unknown): RefusedRequest {
  if (error instanceof StoreError) {
    service.onTrouble?.(error)
    return refuse("store-unavailable", "The store is unavailable. It is not known whether anything changed; try again.")
  }
  if (error instanceof CallError) return refuse("bad-request", error.message)
  service.onTrouble?.(error)
  return refuse("failed", "Internal error. See the service's log for details.")
}
