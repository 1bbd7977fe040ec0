import { type Route, type RouteName, routes } from "@byleave/api"
import { Hono } from "hono"
import { answerRoute } from "./answer-route.ts"
import { createSpentProofs } from "./credentials/spent-proofs.ts"
import { gateRoutes } from "./gate-routes.ts"
import { checkSender } from "./guard/check-sender.ts"
import { secured } from "./guard/secure-headers.ts"
import { notFound, problemResponse, refuse } from "./refused.ts"
import type { ServerOptions } from "./server-options.ts"
import { compiledOnce, type Service } from "./service.ts"

export type Server = {
  /** Answers `/api`, `/healthz`, `/readyz` and `/metrics`; anything else is a 404. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Ends open streams. The gate, the store and the credentials are the composition's to close. */
  readonly close: () => void
}

/** The HTTP contract, served by one function from request to response. */
export function createServer(options: ServerOptions): Server {
  const closing = new AbortController()
  const seen = new Map<string, number>()
  const stop = options.store.subscribe(({ type }) => {
    const [family, status = ""] = type.split(".")
    if (family === "approval" && status !== "changed") seen.set(status, (seen.get(status) ?? 0) + 1)
  })
  const service: Service = {
    ...options,
    spent: createSpentProofs({ ...options.credentials.ports }),
    compiled: compiledOnce(options),
    time: () => options.store.now(options.now()),
    closing: closing.signal,
    seen,
  }
  const app = appOf(service)
  return {
    fetch: async (request) => {
      const refused = checkSender(request, options.hosts(), options.origins())
      return secured(refused === null ? await app.fetch(request) : problemResponse(refused))
    },
    close: () => {
      stop()
      closing.abort()
    },
  }
}

function appOf(service: Service): Hono {
  const app = new Hono()
  const paths = new Map<string, string[]>()
  for (const [name, route] of Object.entries<Route>(routes)) {
    app.on(route.method, route.path, ({ req }) =>
      answerRoute(service, name as RouteName, route, req.raw, req.param() as Readonly<Record<string, string>>),
    )
    paths.set(route.path, [...(paths.get(route.path) ?? []), route.method])
  }
  app.route(
    "/",
    gateRoutes({
      gate: service.gate,
      identify: service.credentials.identify.gate,
      newId: service.newId,
      instance: service.store.writer,
      keepAliveMs: service.keepAliveMs ?? 15_000,
      maxBodyBytes: service.gateBodyBytes ?? 8 * 1024 * 1024,
      isServed: (server) => service.servers().some(({ id }) => id === server),
    }),
  )
  for (const [path, methods] of paths) app.all(path, () => wrongMethod(methods))
  app.notFound(() => problemResponse(notFound()))
  app.onError((error) => {
    service.onTrouble?.(error)
    return problemResponse(refuse("failed", "Something went wrong here. The service's log says what."))
  })
  return app
}

function wrongMethod(methods: readonly string[]): Response {
  const allowed = methods.join(", ")
  const response = problemResponse(refuse("wrong-method", `This address takes ${allowed}.`))
  response.headers.set("allow", allowed)
  return response
}
