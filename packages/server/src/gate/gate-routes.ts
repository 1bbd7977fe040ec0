/**
 * The doors of a gate credential, each by a request of its own.
 *
 * I1. Another credential's approval does not exist.
 * I2. That something changed is told, never what: subjects are other people's. Only of sessions of its own is a program told which.
 * I3. A credential that is revoked while its request is read opens nothing, and what stands by it ends.
 * I4. A body counts among those its sender has open until nothing of it is kept; one for which there is no room is refused, unless it ends a run.
 */
import { gatePaths, lineNameHeader } from "@byleave/api"
import { decisionScope, type StillWanted, type StoreEvent, sessionKey } from "@byleave/core"
import { type Context, Hono } from "hono"
import { readWithin } from "../guard/read-body.ts"
import { isRefused, type RefusedRequest } from "../refused.ts"
import { beginRequest } from "./begin-request.ts"
import { type GateAnswer, given, problem } from "./gate-answer.ts"
import { type GateCredential, type GateIdentity, type GateRouteContext, isOwn } from "./gate-context.ts"
import { endingPaths, postRoutes } from "./gate-posts.ts"
import { inTurn } from "./in-turn.ts"
import { type KeptBody, keepBody, keepNothing } from "./kept-body.ts"
import { lineStream } from "./line-stream.ts"
import { type ProgramConnection, tooManyOpen } from "./program-connections.ts"

type Answering = (
  who: GateIdentity,
  text: string,
  name: string,
  isWanted: StillWanted,
) => Promise<GateAnswer> | GateAnswer

export function gateRoutes(doors: GateRouteContext): Hono {
  const app = new Hono()
  const answering =
    (path: string, answer: Answering) =>
    async ({ req }: Context): Promise<Response> => {
      const authorization = req.header("authorization")
      const asking = await doors.identify(authorization)
      if (asking === null) return gateResponse(problem("wrong-credential"))
      const asker = { ...asking, program: programOf(doors, asking, req.header(lineNameHeader)) }
      doors.unread.asks(req.raw, asker.token)
      const text = await readWithin(doors.bodies, asker.token, req.raw, doors.maxBodyBytes, asker.program)
      if (isRefused(text)) return gateResponse(problem(isTooMuch(text) ? "too-large" : "bad-body", text.detail))
      const name = req.param("name") ?? ""
      const { signal } = req.raw
      // What ends a run is never refused.
      const body = path === endingPaths.settle ? keepNothing : keepBody(doors.bodies, asker, text.length)
      if (typeof body === "string") return gateResponse(problem("too-busy", body))
      const begun = { authorization, asker, path, name, text, isGone: () => signal.aborted }
      try {
        const answered = await beginRequest(doors, begun, (who, isWanted) => answer(who, text, name, isWanted))
        if ("follow" in answered && mayFollow(doors, asker)) return follow(doors, asker, answered, req.raw, body)
        body.release()
        return gateResponse("follow" in answered ? problem("too-busy", tooManyOpen.stream) : answered)
      } catch (trouble) {
        body.release()
        throw trouble
      }
    }
  const get = (path: string, answer: Answering): unknown => app.get(path, answering(path, answer))
  for (const [path, door] of postRoutes(doors)) {
    app.post(
      path,
      answering(path, (who, text, name, isWanted) => door(text, who, name, isWanted)),
    )
  }
  get(gatePaths.approval(":name").replace("%3A", ":"), (who, _, id) =>
    inTurn(doors, who, async () => {
      const approval = await doors.gate.approval(id)
      return approval === undefined || !isOwn(who, approval.principal.id) ? problem("not-found") : given(approval)
    }),
  )
  get(gatePaths.events, (who) => events(doors, who))
  // Upgrades are taken by the listener for upgrades; requests that come here are none.
  get(gatePaths.line, () => problem("needs-upgrade"))
  return app
}

/** Alone, or beside what else its sender has open: a program tells less then. */
function isTooMuch({ refusedWith }: RefusedRequest): boolean {
  return refusedWith === "too-large" || refusedWith === "unavailable"
}

/** A request of its own is one of the program whose connection it names, if that stands. */
function programOf({ connections }: GateRouteContext, { token }: GateCredential, line: string | undefined): string {
  return line !== undefined && connections.stands(token, line) ? line : ""
}

function mayFollow({ connections }: GateRouteContext, who: GateIdentity): boolean {
  return connections.mayOpen(who, "stream") && connections.beginFollowing(who)
}

function follow(
  doors: GateRouteContext,
  who: GateIdentity,
  answer: Extract<GateAnswer, { readonly follow: unknown }>,
  { signal: left }: Request,
  body: KeptBody,
): Response {
  const { response, write, end, unread, breakOff } = lineStream(doors.keepAliveMs, left)
  const revoked = new AbortController()
  const standing: ProgramConnection = {
    ...{ token: who.token, program: who.program, kind: "stream", since: doors.time(), unread },
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
    .follow({ ...body, say, isGone: () => signal.aborted, whenGone })
    .catch((trouble: unknown) => doors.onTrouble?.(trouble))
    .finally(() => {
      body.release()
      doors.connections.endFollowing(who)
      doors.connections.close(standing)
      end()
    })
  return response
}

export function gateResponse({ status, value }: Extract<GateAnswer, { readonly status: number }>): Response {
  const type = status < 400 ? "application/json" : "application/problem+json"
  return new Response(JSON.stringify(value), { status, headers: { "content-type": type } })
}

/** Reports that something changed which decisions rest on. */
function events({ gate }: GateRouteContext, who: GateIdentity): GateAnswer {
  return {
    follow: ({ say, whenGone }) =>
      new Promise((resolve) => {
        const stop = gate.events((event) => {
          const subject = toldSubject(who, event)
          if (subject !== null) say({ ...event, subject } satisfies StoreEvent)
        })
        whenGone(() => {
          stop()
          resolve()
        })
      }),
  }
}

/** Empty for what concerns everyone; a session of the program as that names it. Null: none of its business. */
function toldSubject(who: GateIdentity, event: StoreEvent): string | null {
  const scope = decisionScope(event)
  if (scope !== "session") return scope === null ? null : ""
  const [principal = "", id = ""] = JSON.parse(event.subject) as readonly string[]
  return isOwn(who, principal) ? sessionKey({ principal: principal.slice(who.token.length + 1), id }) : null
}
