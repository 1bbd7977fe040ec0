import type { RunStarter } from "@byleave/core"
import type { RunsRefusal } from "@byleave/runs"
import type { ModelMessage } from "ai"
import { asSetupFace, faceOf, type KeptRequest, type NamedServer, type ResponsesFace } from "./ask/face.ts"
import { messagesOf, type Said } from "./ask/items-to-messages.ts"
import { createOwnItems, type KnownRun } from "./ask/own-items.ts"
import { messagesUpTo, planResponse, type ResponsePlan } from "./ask/plan-response.ts"
import type { InputItem, ResponsesRequest } from "./ask/request-body.ts"
import { echoOf, requestedServers, settingsFrom } from "./ask/requested-tools.ts"
import type { ResponsesCaller, ResponsesWorld } from "./responses-world.ts"
import type { LegRef } from "./wire/ids.ts"
import { WireError, wireErrors } from "./wire/wire-error.ts"

/** Begins or finds the leg that answers a request. */
export async function createResponse(
  world: ResponsesWorld,
  request: ResponsesRequest,
  caller: ResponsesCaller,
  isRepeat: boolean,
): Promise<LegRef> {
  const asked = keptRequest(world, request)
  const plan = await planResponse(world, request, createOwnItems(world, caller))
  switch (plan.kind) {
    case "answers":
      return giveAnswers(world, plan, caller)
    case "goes-on":
      return goOn(world, plan, request, asked, caller)
    case "begins":
      return (isRepeat ? begunBefore(plan, asked.servers) : null) ?? begin(world, plan, request, asked, caller.starter)
  }
}

/** All that can be wrong with a request by itself is found before anything is read. */
function keptRequest(world: ResponsesWorld, request: ResponsesRequest): Omit<KeptRequest, "leg"> {
  const models = world.models()
  const model = request.model ?? models[0]
  if (model === undefined || !models.includes(model)) throw wireErrors.noModel(model ?? "", models)
  const servers = requestedServers(request, world.servers())
  return { model, servers, settings: settingsFrom(request), echo: echoOf(request) }
}

async function giveAnswers(
  world: ResponsesWorld,
  { own, leg, answers, outputs }: Extract<ResponsePlan, { kind: "answers" }>,
  caller: ResponsesCaller,
): Promise<LegRef> {
  const { run } = own
  const by = caller.starter.id
  if (run.status === "paused" && run.legs === leg) {
    if (outputs.length > 0) await bringOutputs(world, own, outputs)
    for (const { approval, toolCall } of run.requirements) {
      const answer = answers.get(toolCall)
      if (approval === null || answer === undefined) continue
      const given = await world.gate.conveyAnswer({
        approval,
        kind: answer.approve ? "approve" : "deny",
        ...(answer.reason == null ? {} : { reason: answer.reason }),
        by,
        conveysDecisions: caller.conveysDecisions,
      })
      // Otherwise somebody was faster, or a reviewer must decide: then the next leg waits for that.
      if (!given.ok && given.refusal.code === "store-unavailable") throw new WireError(503, given.refusal.detail)
    }
    await world.runs.go(run.id, {}, by)
  }
  return { run: run.id, leg: leg + 1 }
}

/** Kept with the run before anything is answered: the process that takes it up after the last answer finds them. */
async function bringOutputs(world: ResponsesWorld, own: KnownRun, outputs: readonly InputItem[]): Promise<void> {
  const { messages } = said(own, [], outputs)
  await world.gate.changeRun(own.run.id, (run, { at }) => {
    const face = { ...(faceOf(run) ?? own.face), outputs: { leg: own.run.legs + 1, messages } }
    return { type: "set-face", face: asSetupFace(face), at }
  })
}

async function goOn(
  world: ResponsesWorld,
  plan: Extract<ResponsePlan, { kind: "goes-on" }>,
  request: ResponsesRequest,
  asked: Omit<KeptRequest, "leg">,
  caller: ResponsesCaller,
): Promise<LegRef> {
  const { own, leg } = plan
  const { messages, instructions } = said(own, asked.servers, plan.items)
  if (messages.length === 0 && own.run.status !== "failed")
    throw wireErrors.invalid("Missing required parameter: 'input'.", "input")
  const next = own.run.legs + 1
  const known = new Set(own.face.listed.map(([label]) => label))
  const face: ResponsesFace = {
    ...own.face,
    store: request.store !== false,
    requests: [...own.face.requests, { leg: next, ...asked }],
    listed: [...own.face.listed, ...newLists(asked, known, plan.items, next)],
  }
  mustBeKeepable(face)
  const went = await world.runs.go(
    own.run.id,
    {
      messages,
      setup: {
        model: asked.model,
        servers: asked.servers.map(({ server }) => server),
        instructions: joined(request, instructions),
        face: asSetupFace(face),
      },
    },
    caller.starter.id,
  )
  if (went.ok) return { run: own.run.id, leg: next }
  if (went.refusal.code === "run-too-large") throw refusalError(went.refusal)
  // Somebody followed it up at the same time: this is another branch of the chain.
  return begin(
    world,
    { ...plan, kind: "begins", before: messagesUpTo(own, leg), from: own },
    request,
    asked,
    caller.starter,
  )
}

/** Of all requests of a chain, in characters. */
const mostKeptRequests = 4 * 1024 * 1024

function mustBeKeepable({ requests }: ResponsesFace): void {
  if (JSON.stringify(requests).length <= mostKeptRequests) return
  const detail =
    requests.length === 1
      ? "The settings of this request are more than can be kept. Send less of them."
      : "This chain of responses has brought more tools than can be kept. Begin a new one."
  throw wireErrors.invalid(detail, "tools")
}

async function begin(
  world: ResponsesWorld,
  plan: Extract<ResponsePlan, { kind: "begins" }>,
  request: ResponsesRequest,
  asked: Omit<KeptRequest, "leg">,
  starter: RunStarter,
): Promise<LegRef> {
  const { from, leg } = plan
  const { messages, instructions } = said(from, asked.servers, plan.items)
  if (messages.length === 0) throw wireErrors.invalid("Missing required parameter: 'input'.", "input")
  const inherited = (from?.face.listed ?? []).filter(([, at]) => at <= leg).map(([label]) => label)
  const face: ResponsesFace = {
    kind: "responses",
    store: request.store !== false,
    requests: [{ leg: 1, ...asked }],
    listed: newLists(asked, new Set(inherited), plan.items, 1),
    deleted: [],
  }
  mustBeKeepable(face)
  const text = joined(request, instructions)
  const started = await world.runs.start(
    {
      messages: [...plan.before, ...messages],
      model: asked.model,
      servers: asked.servers.map(({ server }) => server),
      ...(text === undefined ? {} : { instructions: text }),
      ...(request.metadata == null ? {} : { metadata: request.metadata }),
      face: asSetupFace(face),
    },
    starter,
  )
  if (!started.ok) throw refusalError(started.refusal)
  return { run: started.run.id, leg: 1 }
}

/** A repeat of a request that was followed up by exactly this is led to that, instead of beginning another branch. */
function begunBefore(
  { from, leg, items }: Extract<ResponsePlan, { kind: "begins" }>,
  servers: readonly NamedServer[],
): LegRef | null {
  const next = from?.legs.get(leg + 1)
  if (from === null || next === undefined) return null
  const { messages } = said(from, servers, items)
  return sameMessages(next.input(), messages) ? { run: from.run.id, leg: leg + 1 } : null
}

function sameMessages(one: readonly ModelMessage[], other: readonly ModelMessage[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function said(from: KnownRun | null, servers: readonly NamedServer[], items: readonly InputItem[]): Said {
  const legs = [...(from?.legs.values() ?? [])].filter(({ isLasting }) => isLasting)
  const calls = new Map(legs.flatMap((leg) => leg.calls().map(({ call, tool }) => [call, tool])))
  const serverOf = new Map(servers.map(({ label, server }) => [label, server]))
  const toolNamed = (label: string, tool: string): string =>
    `${serverOf.get(label) ?? label}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)
  return messagesOf(items, toolNamed, (call) => calls.get(call))
}

/** The servers whose tools neither the chain nor the input has listed. */
function newLists(
  { servers }: Pick<KeptRequest, "servers">,
  known: ReadonlySet<string>,
  items: readonly InputItem[],
  leg: number,
): ResponsesFace["listed"] {
  const given = new Set(items.flatMap((item) => (item.type === "mcp_list_tools" ? item.server_label : [])))
  return servers
    .map(({ label }) => label)
    .filter((label) => !known.has(label))
    .map((label) => [label, given.has(label) ? 0 : leg] as const)
}

function joined({ instructions }: ResponsesRequest, more: readonly string[]): string | undefined {
  const all = [...(instructions == null ? [] : [instructions]), ...more].filter((text) => text !== "")
  return all.length === 0 ? undefined : all.join("\n\n")
}

function refusalError(refusal: RunsRefusal): WireError {
  switch (refusal.code) {
    case "no-model":
      return new WireError(400, refusal.detail, { code: "model_not_found", param: "model" })
    case "too-many-runs":
      return new WireError(429, refusal.detail, { code: "rate_limit_exceeded" })
    case "run-too-large":
      return new WireError(400, refusal.detail, { code: "context_length_exceeded", param: "input" })
    default:
      return new WireError(409, `The response cannot go on: ${refusal.code}.`)
  }
}
