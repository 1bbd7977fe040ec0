/**
 * The doors of a gate credential, each by a request of its own.
 *
 * I1. Another credential's approval does not exist.
 * I2. That something changed is told, never what: subjects are other people's.
 * I3. A credential that is revoked while its request is read opens nothing, and what stands by it ends.
 */
import { gatePaths } from "@byleave/api"
import { decisionScope, type StoreEvent } from "@byleave/core"
import { type Context, Hono } from "hono"
import { readWithin } from "../guard/read-body.ts"
import { isRefused, type RefusedRequest } from "../refused.ts"
import { type GateAnswer, given, problem } from "./gate-answer.ts"
import { type GateIdentity, type GateRouteContext, isOwn } from "./gate-context.ts"
import { postRoutes } from "./gate-posts.ts"
import { inTurn } from "./in-turn.ts"
import { lineStream } from "./line-stream.ts"
import { type ProgramConnection, tooManyOpen } from "./program-connections.ts"

type Answering = (context: Context, who: GateIdentity) => Promise<GateAnswer> | GateAnswer

export function gateRoutes(doors: GateRouteContext): Hono {
  const app = new Hono()
  const answering = (answer: Answering) => async (context: Context) => {
    const who = await doors.identify(context.req.header("authorization"))
    if (who === null) return gateResponse(problem("wrong-credential"))
    return respond(doors, who, await answer(context, who), context.req.raw)
  }
  for (const [path, door] of postRoutes(doors)) {
    app.post(
      path,
      answering(async ({ req }, who) => {
        const text = await readWithin(doors.bodies, who.token, req.raw, doors.maxBodyBytes)
        if (isRefused(text)) return problem(isTooMuch(text) ? "too-large" : "bad-body", text.detail)
        const still = await doors.identify(req.header("authorization"))
        return still === null ? problem("wrong-credential") : door(text, still, req.param("name") ?? "")
      }),
    )
  }
  app.get(
    gatePaths.approval(":id").replace("%3A", ":"),
    answering(async ({ req }, who) => {
      return inTurn(doors, who, async () => {
        const approval = await doors.gate.approval(req.param("id") ?? "")
        return approval === undefined || !isOwn(who, approval.principal.id) ? problem("not-found") : given(approval)
      })
    }),
  )
  app.get(
    gatePaths.events,
    answering(() => events(doors)),
  )
  // Upgrades are taken by the listener for upgrades; requests that come here are none.
  app.get(
    gatePaths.line,
    answering(() => problem("needs-upgrade")),
  )
  return app
}

/** Alone, or beside what else its sender has open: a program tells less then. */
function isTooMuch({ refusedWith }: RefusedRequest): boolean {
  return refusedWith === "too-large" || refusedWith === "unavailable"
}

function respond(
  doors: GateRouteContext,
  { token }: GateIdentity,
  answer: GateAnswer,
  { signal: left }: Request,
): Response {
  if (!("follow" in answer)) return gateResponse(answer)
  if (!doors.connections.mayOpen(token, "stream")) return gateResponse(problem("too-busy", tooManyOpen.stream))
  const { response, write, end, unread, breakOff } = lineStream(doors.keepAliveMs, left)
  const revoked = new AbortController()
  const standing: ProgramConnection = {
    ...{ token, kind: "stream", since: doors.time(), unread },
    end: () => {
      end()
      revoked.abort()
    },
    breakOff: () => {
      breakOff()
      revoked.abort()
    },
  }
  doors.connections.open(standing)
  const say = (line: object): void => {
    write(line)
    doors.connections.wrote(standing)
  }
  const signal = AbortSignal.any([left, revoked.signal])
  const whenGone = (then: () => void): (() => void) => {
    if (signal.aborted) then()
    signal.addEventListener("abort", then, { once: true })
    return () => signal.removeEventListener("abort", then)
  }
  void answer
    .follow({ say, isGone: () => signal.aborted, whenGone })
    .catch((trouble: unknown) => doors.onTrouble?.(trouble))
    .finally(() => {
      doors.connections.close(standing)
      end()
    })
  return response
}

export function gateResponse({ status, value }: Extract<GateAnswer, { readonly status: number }>): Response {
  const type = status < 400 ? "application/json" : "application/problem+json"
  return new Response(JSON.stringify(value), { status, headers: { "content-type": type } })
}

/** Reports that something changed which decisions rest on; not what: subjects are other people's. */
function events({ gate }: GateRouteContext): GateAnswer {
  return {
    follow: ({ say, whenGone }) =>
      new Promise((resolve) => {
        const stop = gate.events(({ type, seq, at }) => {
          if (decisionScope({ type }) === "everyone") say({ type, subject: "", seq, at } satisfies StoreEvent)
        })
        whenGone(() => {
          stop()
          resolve()
        })
      }),
  }
}
