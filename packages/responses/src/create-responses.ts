/**
 * OpenAI's Responses API, served from agent runs.
 *
 * I1. A caller sees and moves only what it started itself; everything else is not there.
 * I2. Nothing is held here: what is answered is read from runs, journals and approvals.
 */
import type { JsonObject } from "@byleave/core"
import { asSetupFace, faceOf } from "./ask/face.ts"
import { bytesOf, namedRuns } from "./ask/named-runs.ts"
import { parseRequest } from "./ask/request-body.ts"
import { createResponse } from "./create-response.ts"
import { inputItems } from "./input-items.ts"
import { untilBegun, untilEnded } from "./leg/follow-leg.ts"
import { listsFor, listTools, readResponse, tellResponse } from "./leg/tell-response.ts"
import {
  isHeld,
  isRetrievable,
  type OwnRun,
  ownRun,
  type ResponsesCaller,
  type ResponsesOptions,
  type ResponsesWorld,
  toolsOf,
  worldOf,
} from "./responses-world.ts"
import { eventStream } from "./wire/event-stream.ts"
import { type LegRef, readResponseId, responseId } from "./wire/ids.ts"
import { errorResponse, WireError, wireErrors } from "./wire/wire-error.ts"

export type ResponsesHandler = (request: Request, caller: ResponsesCaller) => Promise<Response>

export function createResponses(options: ResponsesOptions): ResponsesHandler {
  return async (request, caller) => {
    try {
      return await answer(() => worldOf(options, caller), request, caller)
    } catch (error) {
      if (error instanceof WireError) return errorResponse(error)
      options.onTrouble(error)
      return errorResponse(new WireError(500, "Byleave could not answer this request. Its log says why."))
    }
  }
}

function answer(open: () => ResponsesWorld, request: Request, caller: ResponsesCaller): Promise<Response> {
  const world = open()
  const { pathname } = new URL(request.url)
  const [, id, action] = /\/responses(?:\/([^/]+)(?:\/([^/]+))?)?\/?$/.exec(pathname) ?? []
  const route =
    `${request.method} ${[id === undefined ? "" : ":id", action ?? ""].filter((part) => part !== "").join("/")}`.trim()
  if (id === "compact" || id === "input_tokens") {
    throw new WireError(400, `/responses/${id} is not supported here.`, { code: "not_supported" })
  }
  switch (route) {
    case "POST":
      return create(open, request, caller)
    case "GET :id":
      return retrieve(world, request, caller, id ?? "")
    case "DELETE :id":
      return remove(world, caller, id ?? "")
    case "POST :id/cancel":
      return cancel(world, caller, id ?? "")
    case "GET :id/input_items":
      return listInput(world, request, caller, id ?? "")
    default:
      throw new WireError(404, `There is no ${request.method} ${pathname} here.`)
  }
}

async function create(open: () => ResponsesWorld, request: Request, caller: ResponsesCaller): Promise<Response> {
  const { at, answers } = await begun(open(), request, caller)
  // Neither a run nor a list of tools is kept by a request that only waits.
  if (answers === "at-the-end") {
    await ended(open(), at, request.signal)
    return toldInTurn(open(), at, caller)
  }
  const world = open()
  const own = await found(world, at, caller)
  return answers === "streamed" ? streamed(world, own, at) : told(world, own, at)
}

/** The same for one of many that waited for the same response: none of them has the run while it waits for its turn. */
async function toldInTurn(world: ResponsesWorld, at: LegRef, caller: ResponsesCaller): Promise<Response> {
  const bytes = (await world.gate.runSummary(at.run))?.bytes ?? 0
  const list = await world.reads.finish(bytes, async () => listsFor(await found(world, at, caller), at))
  await list(world)
  return world.reads.finish(bytes, async () =>
    Response.json(await readResponse(world, await found(world, at, caller), at)),
  )
}

type Begun = { readonly at: LegRef; readonly answers: "streamed" | "at-once" | "at-the-end" }

/** Nothing of the request's input is kept while its leg goes on. */
async function begun(world: ResponsesWorld, request: Request, caller: ResponsesCaller): Promise<Begun> {
  const asked = parseRequest(await bodyOf(request))
  const isRepeat = Number(request.headers.get("x-stainless-retry-count") ?? 0) > 0
  const named = await namedRuns(world, asked, caller)
  for (const { run } of named) await toolsOf(world, run, run.setup.servers)
  const bytes = (caller.sent ?? 0) + bytesOf(named)
  const at = await inTurn(world, bytes, () => createResponse(world, asked, caller, isRepeat))
  return { at, answers: asked.stream === true ? "streamed" : asked.background === true ? "at-once" : "at-the-end" }
}

/** Does the work when it is the caller's turn to read so much. */
function inTurn<Result>(world: ResponsesWorld, bytes: number, work: () => Promise<Result>): Promise<Result> {
  const done = world.reads.take(bytes, work)
  if (done === null) throw wireErrors.tooManyReads()
  return done
}

/** The response, for a request that had its turn. */
async function told(world: ResponsesWorld, own: OwnRun, at: LegRef): Promise<Response> {
  await listTools(world, own, at)
  return world.reads.finish(own.run.bytes, async () => Response.json(await readResponse(world, own, at)))
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json()
  } catch {
    throw wireErrors.invalid("The body of the request is not JSON.")
  }
}

function streamed(world: ResponsesWorld, own: OwnRun, at: LegRef, after?: number): Response {
  const { keepAliveMs, onTrouble } = world
  const source = (signal: AbortSignal) => tellResponse(world, own, at, signal, after)
  return eventStream(source, { keepAliveMs, onTrouble, ...(after === undefined ? {} : { after }) })
}

/** Resolves once the leg is over. It waits for a reviewer only as long as clients bear it. */
async function ended(world: ResponsesWorld, at: LegRef, gone: AbortSignal): Promise<void> {
  const enough = AbortSignal.timeout(world.heldMs)
  await untilBegun(world, at, AbortSignal.any([gone, enough]))
  const run = await world.gate.runSummary(at.run)
  if (run !== undefined && isHeld(run, at.leg)) throw wireErrors.stillWaiting(responseId(at))
  await untilEnded(world, at, gone)
}

async function retrieve(
  world: ResponsesWorld,
  request: Request,
  caller: ResponsesCaller,
  id: string,
): Promise<Response> {
  const { own, at } = await retrievable(world, id, caller)
  const query = new URL(request.url).searchParams
  if (query.get("stream") === "true") {
    const after = query.get("starting_after")
    return streamed(world, own, at, after === null ? undefined : Number(after))
  }
  await listTools(world, own, at)
  return inTurn(world, own.run.bytes, async () => Response.json(await readResponse(world, own, at)))
}

/** The run is removed with the last of its responses; until then the response is only hidden. Calls that wait for it are withdrawn. */
async function remove(world: ResponsesWorld, caller: ResponsesCaller, id: string): Promise<Response> {
  const { own, at } = await retrievable(world, id, caller)
  const by = caller.starter.id
  const deleted = new Set([...own.face.deleted, at.leg])
  const isLast = Array.from({ length: own.run.legs }, (_, index) => index + 1).every((leg) => deleted.has(leg))
  // A cancelled run never changes again: it goes as a whole.
  if (isLast || own.run.status === "cancelled") await world.runs.remove(own.run.id, by)
  else {
    await world.gate.changeRun(own.run.id, (run, { at: now }) => {
      const face = faceOf(run) ?? own.face
      return { type: "set-face", face: asSetupFace({ ...face, deleted: [...face.deleted, at.leg] }), at: now }
    })
    if (isOpen(own, at)) await world.runs.cancel(own.run.id, by, "its response was deleted.")
  }
  return Response.json({ id, object: "response", deleted: true })
}

async function cancel(world: ResponsesWorld, caller: ResponsesCaller, id: string): Promise<Response> {
  const { own, at } = await retrievable(world, id, caller)
  if (!isOpen(own, at) && own.run.status !== "cancelled")
    throw wireErrors.invalid("Cannot cancel a completed response.")
  await world.runs.cancel(own.run.id, caller.starter.id, "its response was cancelled.")
  return told(world, await found(world, at, caller), at)
}

/** Whether the run is at this response: it goes on, or waits for answers to it. */
function isOpen({ run }: OwnRun, { leg }: LegRef): boolean {
  return isHeld(run, leg) || (leg === run.legs && (run.status === "running" || run.status === "paused"))
}

async function listInput(
  world: ResponsesWorld,
  request: Request,
  caller: ResponsesCaller,
  id: string,
): Promise<Response> {
  const { own, at } = await retrievable(world, id, caller)
  const query = new URL(request.url).searchParams
  return inTurn(world, own.run.bytes, async () => inputPage(await inputItems(world, at), query))
}

function inputPage(all: readonly JsonObject[], query: URLSearchParams): Response {
  const ordered = query.get("order") === "asc" ? all : all.toReversed()
  const from = ordered.findIndex((item) => item.id === query.get("after")) + 1
  const limit = Math.min(Math.max(Number(query.get("limit") ?? 20) || 20, 1), 100)
  const data = ordered.slice(from, from + limit)
  return Response.json({
    object: "list",
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: from + limit < ordered.length,
  })
}

async function retrievable(
  world: ResponsesWorld,
  id: string,
  caller: ResponsesCaller,
): Promise<{ readonly own: OwnRun; readonly at: LegRef }> {
  const at = readResponseId(id)
  const own = at === null ? null : await ownRun(world, at.run, caller)
  if (at === null || own === null || !isRetrievable(own, at)) throw wireErrors.noResponse(id)
  return { own, at }
}

async function found(world: ResponsesWorld, at: LegRef, caller: ResponsesCaller): Promise<OwnRun> {
  const own = await ownRun(world, at.run, caller)
  if (own === null) throw wireErrors.noResponse(responseId(at))
  return own
}
