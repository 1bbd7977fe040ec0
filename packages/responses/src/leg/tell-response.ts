/** A response, told event by event while its leg goes on, or read as a whole. */
import { type AgentRun, objectAt, type RunSummary, textAt } from "@byleave/core"
import type { OfferedTool } from "@byleave/runs"
import { functionsIn, isAllowed, isReadOnly, type KeptRequest, type NamedServer, requestAt } from "../ask/face.ts"
import { callerOf, isHeld, type OwnRun, type ResponsesWorld, toolsOf } from "../responses-world.ts"
import { type LegRef, responseId } from "../wire/ids.ts"
import type { McpListToolsItem, WireEvent } from "../wire/items.ts"
import { type ResponseFacts, type ResponseObject, responseObject } from "../wire/response-object.ts"
import { approvedCalls } from "./approved-calls.ts"
import { followLeg, untilBegun } from "./follow-leg.ts"
import { createOutputBuilder, type OutputBuilder, type ToolLabel } from "./output-builder.ts"
import { readLegs, type StoredLeg } from "./stored-leg.ts"

type Legs = ReadonlyMap<number, StoredLeg>

/** `after`: the listener has heard that many events of it before. Ends early where the response cannot be told to its end here: a client that comes back is told again. */
export async function* tellResponse(
  world: ResponsesWorld,
  own: OwnRun,
  at: LegRef,
  signal: AbortSignal,
  after?: number,
): AsyncGenerator<WireEvent> {
  if (after !== undefined && !isUnderWay(await world.gate.runSummary(at.run), at.leg)) {
    await listTools(world, own, at)
    const response = await world.reads.finish(own.run.bytes, () => readResponse(world, own, at))
    const status = textAt(response, "status")
    // A response that is over is told anew with other numbers: only its end goes on from where a listener was.
    if (status !== undefined && status in endEvent) {
      yield { type: endEvent[status as keyof typeof endEvent], response, sequence_number: after + 1 }
      return
    }
  }
  const createdAt = world.now()
  const begun = { ...factsOf(own, at), createdAt }
  yield { type: "response.created", response: responseObject(begun) }
  yield { type: "response.in_progress", response: responseObject(begun) }
  await untilBegun(world, at, signal)
  if (signal.aborted) return
  await listTools(world, own, at)
  const output = await world.reads.finish(own.run.bytes, async () =>
    outputOf(world, own, at, await readLegs(world.gate, at.run)),
  )
  yield* output.list(await listings(world, own, at))
  yield* output.begin()
  for await (const event of followLeg(world, at, signal)) yield* output.add(event)
  if (signal.aborted) return
  const run = await world.gate.run(at.run)
  const leg = await world.reads.finish(run?.bytes ?? 0, async () => (await readLegs(world.gate, at.run)).get(at.leg))
  const end = endOf(run, at, leg, output.finish())
  if (end.status === "in_progress")
    throw new Error("The service stops; repeat the request to go on with this response.")
  yield* output.cut()
  if (leg !== undefined && end.status === "completed") yield* output.ask(leg.asked)
  const facts = { ...begun, ...end, completedAt: world.now(), output: output.items(), usage: output.usage() }
  yield { type: endEvent[end.status], response: responseObject(facts) }
}

function isUnderWay(run: RunSummary | undefined, leg: number): boolean {
  return run?.status === "running" && run.legs === leg
}

const endEvent = {
  completed: "response.completed",
  incomplete: "response.incomplete",
  failed: "response.failed",
  // There is no event of its own for it, and clients reject events that they do not know.
  cancelled: "response.failed",
} as const satisfies Record<Exclude<ResponseFacts["status"], "in_progress">, string>

/** A server may take long to list its tools: nobody's turn is taken up by it. */
export function listTools(world: ResponsesWorld, own: OwnRun, at: LegRef): Promise<void> {
  return listsFor(own, at)(world)
}

/** How to list the tools that a response tells of; nothing else of its run is kept for it. */
export function listsFor(own: OwnRun, at: LegRef): (world: ResponsesWorld) => Promise<void> {
  const who = callerOf(own.run)
  const lists = [serversAt(own, at), dueAt(own, at).map(({ server }) => server)]
  return async ({ tools }) => {
    for (const servers of lists) if (servers.length > 0) await tools.list(servers, who)
  }
}

function serversAt({ face }: OwnRun, { leg }: LegRef): readonly string[] {
  return requestAt(face, leg)?.servers.map(({ server }) => server) ?? []
}

/** The response as it stands. */
export async function readResponse(world: ResponsesWorld, own: OwnRun, at: LegRef): Promise<ResponseObject> {
  const legs = await readLegs(world.gate, at.run)
  const leg = legs.get(at.leg)
  const output = await outputOf(world, own, at, legs)
  output.list(leg === undefined && isHeld(own.run, at.leg) ? [] : await listings(world, own, at))
  output.begin()
  for (const event of leg?.events() ?? []) output.add(event)
  output.cut()
  const end = endOf(own.run, at, leg, output.finish())
  if (leg !== undefined && end.status === "completed") output.ask(leg.asked)
  const isOver = end.status !== "in_progress"
  return responseObject({
    ...factsOf(own, at),
    ...end,
    createdAt: leg?.startedAt ?? own.run.updatedAt,
    completedAt: isOver ? (leg?.endedAt ?? own.run.updatedAt) : null,
    output: isOver ? output.items() : [],
    usage: isOver ? output.usage() : null,
  })
}

function factsOf({ run, face }: OwnRun, at: LegRef): ResponseFacts {
  const request = requestAt(face, at.leg)
  const isFollowUp = request !== undefined && request.leg < at.leg
  const previous = isFollowUp ? { previous_response_id: responseId({ run: at.run, leg: at.leg - 1 }) } : {}
  return {
    at,
    status: "in_progress",
    createdAt: run.createdAt,
    completedAt: null,
    model: request?.model ?? run.setup.model,
    echo: { ...request?.echo, ...previous },
    output: [],
    usage: null,
    problem: null,
    incomplete: null,
  }
}

type End = Pick<ResponseFacts, "status" | "problem" | "incomplete">

function endOf(run: AgentRun | undefined, { leg: at }: LegRef, leg: StoredLeg | undefined, finish: string | null): End {
  const over = (status: ResponseFacts["status"], more: Partial<End> = {}): End => {
    return { status, problem: null, incomplete: null, ...more }
  }
  if (leg?.isWhole === true) {
    if (finish === "length") return over("incomplete", { incomplete: "max_output_tokens" })
    if (finish === "content-filter") return over("incomplete", { incomplete: "content_filter" })
    // A leg that used up its steps is whole, and its run failed.
    if (run?.status === "failed" && run.legs === at) return over("failed", { problem: run.detail })
    return over("completed")
  }
  if (run === undefined) return over("cancelled", { problem: "The response was deleted." })
  if (run.legs > at) return over("failed", { problem: "This response failed; the one after it went on." })
  switch (run.status) {
    case "running":
    case "paused":
      return over("in_progress")
    case "failed":
      return over("failed", { problem: run.detail })
    case "cancelled":
      return over("cancelled", { problem: run.detail })
    case "finished":
      return over("completed")
  }
}

async function outputOf(world: ResponsesWorld, own: OwnRun, at: LegRef, legs: Legs): Promise<OutputBuilder> {
  const request = requestAt(own.face, at.leg)
  const { tools } = await toolsOf(world, own.run, serversAt(own, at))
  return createOutputBuilder(
    at,
    labeller(request, tools),
    await approvedCalls(world, await world.gate.run(at.run), at, legs),
  )
}

export function labeller(
  request: KeptRequest | undefined,
  tools: readonly OfferedTool[],
): (name: string) => ToolLabel | null {
  const servers = request?.servers ?? []
  const functions = new Set(request === undefined ? [] : functionsIn(request).map(({ name }) => name))
  const byName = new Map(tools.map((tool) => [tool.name, tool.ref]))
  return (name) => {
    if (functions.has(name)) return "function"
    const ref = byName.get(name)
    const named = ref === undefined ? undefined : servers.find(({ server }) => server === ref.server)
    if (ref !== undefined && named !== undefined) return { label: named.label, tool: ref.tool }
    // A server that cannot be reached lists nothing; its tools are named by it all the same.
    const prefixed = servers.find(({ server }) => name.startsWith(`${server}__`))
    return prefixed === undefined ? null : { label: prefixed.label, tool: name.slice(prefixed.server.length + 2) }
  }
}

function dueAt({ face }: Pick<OwnRun, "face">, at: LegRef): readonly NamedServer[] {
  const due = face.listed.filter(([, leg]) => leg === at.leg).map(([label]) => label)
  return (requestAt(face, at.leg)?.servers ?? []).filter(({ label }) => due.includes(label))
}

/** The lists of tools that a leg begins with: of each server that the conversation has not listed. */
async function listings(
  world: ResponsesWorld,
  { run, face }: OwnRun,
  at: LegRef,
): Promise<ReadonlyArray<Omit<McpListToolsItem, "id" | "type">>> {
  const servers = dueAt({ face }, at)
  if (servers.length === 0) return []
  const { tools, unreachable } = await toolsOf(
    world,
    run,
    servers.map(({ server }) => server),
  )
  return servers.map((named) => {
    const detail = unreachable.find(({ server }) => server === named.server)?.detail
    const own = tools.filter((tool) => tool.ref.server === named.server && isAllowed(named, tool))
    return { server_label: named.label, tools: own.map(listedTool), ...(detail === undefined ? {} : { error: detail }) }
  })
}

function listedTool(tool: OfferedTool): McpListToolsItem["tools"][number] {
  const { ref, description, inputSchema, listed } = tool
  const isAnnotated = objectAt(listed?.definition, "annotations") !== undefined
  return {
    name: ref.tool,
    ...(description === undefined ? {} : { description }),
    input_schema: inputSchema,
    ...(isAnnotated ? { annotations: { read_only: isReadOnly(tool) } } : {}),
  }
}
