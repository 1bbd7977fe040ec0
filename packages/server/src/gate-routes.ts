/**
 * The doors of a gate credential: a program elsewhere submits its calls here, runs them itself, and says how they went.
 *
 * The principal is made from the credential; a body can only name an agent below it. A run is this program's alone to settle, once;
 * when its connection ends first, nobody can tell what became of the call.
 */
import { cancelBody, endBody, gatePaths, judgeBody, settleBody, submitBody, toolsBody } from "@byleave/api"
import { readJson, type StoreEvent } from "@byleave/core"
import { type Context, Hono } from "hono"
import type { z } from "zod"
import { followSubmission } from "./follow-submission.ts"
import { callerOf, type GateDoors, type GateIdentity, type GateRoutesOptions, isOwn, ownKey } from "./gate-doors.ts"
import { problem } from "./gate-problem.ts"
import { readBody } from "./guard/read-body.ts"
import { lineStream } from "./line-stream.ts"
import { isRefused } from "./refused.ts"

export function gateRoutes(options: GateRoutesOptions): Hono {
  const doors: GateDoors = { ...options, runs: new Map(), submissions: new Map(), told: new Set() }
  const { gate } = options
  const app = new Hono()
  const post = <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    answer: (body: z.output<Schema>, who: GateIdentity, context: Context) => Promise<Response> | Response,
  ): void => {
    app.post(path, async (context) => {
      const who = await options.identify(context.req.header("authorization"))
      if (who === null) return problem("wrong-credential")
      const text = await readBody(context.req.raw, options.maxBodyBytes)
      if (isRefused(text)) return problem(text.refusedWith === "too-large" ? "too-large" : "bad-body", text.detail)
      const read = readJson(text, { bytes: options.maxBodyBytes })
      if (!read.ok) return problem("bad-body", read.problem.message)
      const parsed = schema.safeParse(read.value)
      if (!parsed.success) return problem("bad-body", parsed.error.issues.map(sayIssue).join("; "))
      return answer(parsed.data, who, context)
    })
  }

  post(gatePaths.submit, submitBody, (body, who, context) => followSubmission(doors, who, body, context.req.raw.signal))
  post(gatePaths.judge, judgeBody, async ({ from, targets, args }, who) => {
    const caller = callerOf(who, from)
    return json({ decisions: await Promise.all(targets.map((target) => gate.judge(target, args, caller))) })
  })
  post(gatePaths.tools, toolsBody, async ({ server, tools }, who) => {
    if (options.isServed?.(server) === true) return problem("not-yours")
    await gate.seeTools(server, tools)
    doors.told.add(ownKey(who, server))
    return json({ instance: options.instance })
  })
  post(gatePaths.cancel, cancelBody, async ({ from, approval, detail }, who) => {
    const { principal } = callerOf(who, from)
    return json(await gate.cancel(approval, principal.id, detail))
  })
  post(gatePaths.end, endBody, async ({ from }, who) => {
    await gate.endSession(callerOf(who, from).session)
    return json({})
  })
  post(gatePaths.settle(":run").replace("%3A", ":"), settleBody, (outcome, who, context) => {
    const run = doors.runs.get(context.req.param("run") ?? "")
    if (run?.token !== who.token) return problem("not-found")
    run.settle(outcome)
    return json({})
  })
  app.post(gatePaths.leave(":id").replace("%3A", ":"), async (context) => {
    const who = await options.identify(context.req.header("authorization"))
    if (who === null) return problem("wrong-credential")
    const submission = doors.submissions.get(ownKey(who, context.req.param("id") ?? ""))
    if (submission === undefined) return problem("not-found")
    submission.leave()
    return json({})
  })
  app.get(gatePaths.approval(":id").replace("%3A", ":"), async (context) => {
    const who = await options.identify(context.req.header("authorization"))
    if (who === null) return problem("wrong-credential")
    const approval = await gate.approval(context.req.param("id") ?? "")
    if (approval === undefined || !isOwn(who, approval.principal.id)) return problem("not-found")
    return json(approval)
  })
  app.get(gatePaths.events, async (context) => {
    const who = await options.identify(context.req.header("authorization"))
    if (who === null) return problem("wrong-credential")
    return eventLines(doors, context.req.raw.signal)
  })
  return app
}

function sayIssue({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
}

function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: { "content-type": "application/json" } })
}

const concerns: ReadonlySet<StoreEvent["type"]> = new Set([
  "grant.changed",
  "definition.changed",
  "mode.changed",
  "policy.changed",
])

/** That something changed which decisions rest on; not what: subjects are other people's. */
function eventLines({ gate, keepAliveMs }: GateDoors, gone: AbortSignal): Response {
  const { response, write, end } = lineStream(keepAliveMs, gone)
  const stop = gate.events(({ type, seq, at }) => {
    if (concerns.has(type)) write({ type, subject: "", seq, at } satisfies StoreEvent)
  })
  gone.addEventListener("abort", () => {
    stop()
    end()
  })
  return response
}
