import { mostBodyBytes, type Route, type RouteName, routes } from "@byleave/api"
import { createBodyBudget, createUnreadBudget, programPin, type ToolDefinition } from "@byleave/core"
import { Hono } from "hono"
import { answerRoute } from "./answer-route.ts"
import { bearerReader } from "./credentials/identify.ts"
import { isOfToken, onTokenRevoked } from "./credentials/revoked-tokens.ts"
import { createSpentProofs } from "./credentials/spent-proofs.ts"
import { definitionSize } from "./gate/definition-size.ts"
import { problem } from "./gate/gate-answer.ts"
import { type GateRouteContext, openGateRoutes, usualPace } from "./gate/gate-context.ts"
import { type LineConnection, type LineReader, openGateLines } from "./gate/gate-line.ts"
import { gateResponse, gateRoutes } from "./gate/gate-routes.ts"
import { tooManyOpen } from "./gate/program-connections.ts"
import { createSessionPresence } from "./gate/session-presence.ts"
import { checkSender, mayProveItself, type RequestOrigin, senderOf } from "./guard/check-sender.ts"
import { mostRunStreams, mostWaitingAnswers } from "./guard/counted-stream.ts"
import { createNewestOnly } from "./guard/newest-only.ts"
import { createProgramStarts } from "./guard/program-starts.ts"
import { createRunReads } from "./guard/run-reads.ts"
import { secured } from "./guard/secure-headers.ts"
import { createStreamCounter } from "./guard/stream-counter.ts"
import { createUnreadAnswers } from "./guard/unread-answers.ts"
import { shareObserved } from "./handlers/observed.ts"
import { shareSuggestions } from "./handlers/suggestions.ts"
import { createProgramServers } from "./program-servers.ts"
import type { KnownDefinitions } from "./program-shares.ts"
import { isRefused, notFound, problemResponse, type RefusedRequest, refuse } from "./refused.ts"
import type { ServerOptions } from "./server-options.ts"
import { createServerOwners } from "./server-owners.ts"
import { type ApiService, compiledOnce } from "./service.ts"
import { answerV1, isV1 } from "./v1/answer-v1.ts"
import { openAiError } from "./v1/openai-error.ts"

export type Server = {
  /** Answers `/api`, `/v1`, `/healthz`, `/readyz` and `/metrics`; anything else is a 404. */
  readonly fetch: (request: Request) => Promise<Response>
  /** The answer to a sender nobody here answers, by its Host and Origin; null: it may ask. */
  readonly refused: (request: Request) => Response | null
  /** A connection asks to stand open to the gate's doors: what to do with it, or the answer it gets instead. */
  readonly line: (asking: LineAsking) => Promise<Response | OpenLine>
  /** Ends open streams. The gate, the store and the credentials are the composition's to close. */
  readonly close: () => void
}

export type LineAsking = RequestOrigin & { readonly authorization: string }
/** `name`: by which requests of their own say that they are of the same program. */
export type OpenLine = { readonly name: string; readonly open: (connection: LineConnection) => LineReader }

/** The bytes that one reviewer, who may bring a whole agent run, and all of them may be sending at once; programs are counted apart. */
const reviewerBodyLimits = { perPrincipal: 48_000_000, inAll: 96_000_000 }
const runnerBodyLimits = { perPrincipal: 16_000_000, inAll: 64_000_000 }

/** The HTTP contract, served by one function from request to response. */
export function createServer(options: ServerOptions): Server {
  const closing = new AbortController()
  const seen = new Map<string, number>()
  const stop = options.store.subscribe(({ type }) => {
    const [family, status = ""] = type.split(".")
    if (family === "approval" && status !== "changed") seen.set(status, (seen.get(status) ?? 0) + 1)
  })
  const turns = { ...usualPace, ...options.turns }
  const time = () => options.store.now(options.now())
  const { addedAt } = options.credentials.identify
  const owners = options.owners ?? createServerOwners({ store: options.store, time, addedAt })
  const service: ApiService = {
    ...options,
    spent: createSpentProofs({ ...options.credentials.ports }),
    compiled: compiledOnce(options),
    reviewerBodies: createBodyBudget(() => reviewerBodyLimits),
    runnerBodies: options.bodies ?? createBodyBudget(() => runnerBodyLimits),
    unread: createUnreadAnswers(options.unread ?? createUnreadBudget(options.now), options.now),
    runStreams: createStreamCounter(mostRunStreams),
    waitingAnswers: createStreamCounter(mostWaitingAnswers),
    runReads: createRunReads(turns.nextTurn),
    runnerStarts: createProgramStarts(turns),
    turns,
    previews: createNewestOnly(),
    suggestions: shareSuggestions(() => service),
    observed: shareObserved(() => service),
    time,
    programServers: createProgramServers({ store: options.store, time }),
    owners,
    attendance: createSessionPresence({
      ...{ gate: options.gate, store: options.store, hasher: options.hasher, time },
      graceMs: options.attendanceMs?.graceMs ?? 5_000,
      returnMs: options.attendanceMs?.returnMs ?? 15_000,
      nextTurn: turns.nextTurn,
      onTrouble: options.onTrouble ?? (() => {}),
    }),
    closing: closing.signal,
    seen,
  }
  const doors = doorsOf(service)
  const stopRevoking = onTokenRevoked(
    { store: options.store, identify: options.credentials.identify, onTrouble: options.onTrouble ?? (() => {}) },
    async (revoked) => {
      doors.connections.endRevoked(revoked)
      await options.gate.endRevokedSessions((principal) => isOfToken(revoked.token, principal), revoked.until)
      await owners.release(revoked)
    },
  )
  const { asReader = (_, work) => work() } = options
  const app = appOf(service, doors)
  const lines = openGateLines(doors)
  const refusedSender = (sender: RequestOrigin) => checkSender(sender, options.hosts(), options.origins())
  const saysNo = (request: Request, why: RefusedRequest): Response =>
    secured(isV1(request) ? openAiError(why) : problemResponse(why))
  const refused = (request: Request): Response | null => {
    const why = refusedSender(senderOf(request))
    if (why === null || (why.refusedWith === "foreign-origin" && mayProveItself(request))) return null
    return saysNo(request, why)
  }
  const goingOut = async (request: Request, response: Response): Promise<Response> => {
    const body = await service.unread.goingOut(request, response)
    return isRefused(body) ? saysNo(request, body) : secured(response, body)
  }
  return {
    fetch: async (request) => {
      const answer = async () => refused(request) ?? goingOut(request, await app.fetch(request))
      const bearer = request.headers.get("authorization")
      return bearer === null ? answer() : asReader(bearerReader(bearer), answer)
    },
    refused,
    line: async (asking) => {
      const refused = refusedSender(asking)
      if (refused !== null) return secured(problemResponse(refused))
      const { authorization } = asking
      const credential = await doors.identify(authorization)
      if (credential === null) return secured(gateResponse(problem("wrong-credential")))
      const who = { ...credential, program: options.newId() }
      if (!doors.connections.mayOpen(who, "line")) return secured(gateResponse(problem("too-busy", tooManyOpen.line)))
      const open = (connection: LineConnection): LineReader => {
        closing.signal.addEventListener("abort", connection.end, { once: true })
        const reader = lines({ authorization, who }, connection)
        const gone = (): void => {
          closing.signal.removeEventListener("abort", connection.end)
          reader.gone()
        }
        const name = bearerReader(authorization)
        return { take: (...taken) => asReader(name, () => reader.take(...taken)), gone }
      }
      return { name: who.program, open }
    },
    close: () => {
      stop()
      stopRevoking()
      owners.stop()
      service.attendance.close()
      closing.abort()
    },
  }
}

function doorsOf(service: ApiService): GateRouteContext {
  const { gate, sessionFacts } = service
  return openGateRoutes({
    gate,
    ...(sessionFacts === undefined ? {} : { see: sessionFacts.see }),
    seeServer: service.programServers.see,
    owners: service.owners,
    attendance: service.attendance,
    ...(service.decidesInClient === undefined ? {} : { decidesInClient: service.decidesInClient }),
    isOtherProgram: async (server) => {
      const { pins } = await service.store.decisionState()
      return pins.some((pin) => pin.server === server && pin.tool === programPin && pin.proposed !== null)
    },
    knownOf: (credential) => knownOf(service, credential),
    identify: service.credentials.identify.gate,
    pace: { ...usualPace, ...service.turns },
    unread: service.unread,
    ...{ newId: service.newId, time: service.time, hasher: service.hasher },
    instance: service.store.writer,
    keepAliveMs: service.keepAliveMs ?? 15_000,
    maxBodyBytes: service.gateBodyBytes ?? mostBodyBytes,
    ...(service.bodies === undefined ? {} : { bodies: service.bodies }),
    isServed: service.isServed ?? ((server) => service.servers().some(({ id }) => id === server)),
    ...(service.onTrouble === undefined ? {} : { onTrouble: service.onTrouble }),
  })
}

/** Definitions of the servers that this credential told of last, by server. */
async function knownOf(service: ApiService, credential: string): Promise<KnownDefinitions> {
  const own = (await service.programServers.list()).filter((server) => server.credential === credential)
  const known = new Map(own.map(({ id }) => [id, new Map<string, number>()]))
  for (const pin of (await service.store.decisionState()).pins) {
    const sizes = known.get(pin.server)
    sizes?.set(
      pin.tool,
      [pin.accepted, ...(pin.alsoAccepted ?? []), pin.proposed].reduce((sum, each) => sum + bytesOf(each), 0),
    )
  }
  return known
}

function bytesOf(known: { readonly definition: ToolDefinition } | null): number {
  return known === null ? 0 : definitionSize(known.definition).bytes
}

function appOf(service: ApiService, doors: GateRouteContext): Hono {
  const app = new Hono()
  const paths = new Map<string, string[]>()
  for (const [name, route] of Object.entries<Route>(routes)) {
    app.on(route.method, route.path, ({ req }) =>
      answerRoute(service, name as RouteName, route, req.raw, req.param() as Readonly<Record<string, string>>),
    )
    paths.set(route.path, [...(paths.get(route.path) ?? []), route.method])
  }
  app.all("/v1/*", ({ req }) => answerV1(service, req.raw))
  app.route("/", gateRoutes(doors))
  for (const [path, methods] of paths) app.all(path, () => wrongMethod(methods))
  app.notFound(() => problemResponse(notFound()))
  app.onError((error) => {
    service.onTrouble?.(error)
    return problemResponse(refuse("failed", "Internal error. See the service's log for details."))
  })
  return app
}

function wrongMethod(methods: readonly string[]): Response {
  const allowed = methods.join(", ")
  const response = problemResponse(refuse("wrong-method", `This address accepts ${allowed}.`))
  response.headers.set("allow", allowed)
  return response
}
