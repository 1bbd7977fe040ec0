/**
 * The plan of a request: answers to calls that wait, another leg of a run, or another run.
 *
 * I1. Answers lead to the run that holds the call. What the client says of the call is compared, never used.
 * I2. All requests of a response are answered together, and nothing else comes with the answers but outputs of functions.
 * I3. Nothing runs by what items say of earlier calls.
 */
import { asObject, canonicalJson, readJson } from "@byleave/core"
import type { ModelMessage } from "ai"
import { labeller } from "../leg/tell-response.ts"
import { isHeld, isRetrievable, type ResponsesWorld, toolsOf } from "../responses-world.ts"
import { callItemId, readResponseId, responseId, runOfItem } from "../wire/ids.ts"
import type { OutputItem } from "../wire/items.ts"
import { wireErrors } from "../wire/wire-error.ts"
import { requestAt } from "./face.ts"
import type { KnownRun, OwnItems } from "./own-items.ts"
import type { InputItem, ResponsesRequest } from "./request-body.ts"

export type ApprovalAnswer = Extract<InputItem, { type: "mcp_approval_response" }>

export type ResponsePlan =
  | {
      readonly kind: "answers"
      readonly own: KnownRun
      /** The leg that asked. */
      readonly leg: number
      /** By tool call. */
      readonly answers: ReadonlyMap<string, ApprovalAnswer>
      readonly outputs: readonly InputItem[]
    }
  | { readonly kind: "goes-on"; readonly own: KnownRun; readonly leg: number; readonly items: readonly InputItem[] }
  | {
      readonly kind: "begins"
      readonly before: readonly ModelMessage[]
      /** The chain that it forks from. */
      readonly from: KnownRun | null
      readonly leg: number
      readonly items: readonly InputItem[]
    }

export async function planResponse(
  world: ResponsesWorld,
  request: ResponsesRequest,
  ownItems: OwnItems,
): Promise<ResponsePlan> {
  const items = await ownItems.resolve(request.input)
  const previous = request.previous_response_id
  return previous == null ? planFromItems(world, items, ownItems) : planFollowUp(world, previous, items, ownItems)
}

async function planFollowUp(
  world: ResponsesWorld,
  previous: string,
  items: readonly InputItem[],
  ownItems: OwnItems,
): Promise<ResponsePlan> {
  const at = readResponseId(previous)
  const own = at === null ? null : await ownItems.run(at.run)
  if (at === null || own === null || !isRetrievable(own, at)) throw wireErrors.noPrevious(previous)
  const { leg } = at
  const { run } = own
  if (isHeld(run, leg) || (leg === run.legs && run.status === "running")) throw wireErrors.underWay(responseId(at))
  const asked = requestsOf(own, leg)
  await mustBeAsMade(own, asked, answeredIn(items), items)
  mustHaveOutputs(await openFunctions(world, own, leg), items)
  if (asked.size > 0) return answersTo(own, leg, items)
  const isLast = leg === run.legs && (run.status === "finished" || run.status === "failed")
  if (isLast) return { kind: "goes-on", own, leg, items }
  return { kind: "begins", before: messagesUpTo(own, leg), from: own, leg, items }
}

async function planFromItems(
  world: ResponsesWorld,
  items: readonly InputItem[],
  ownItems: OwnItems,
): Promise<ResponsePlan> {
  const answers = items.filter((item) => item.type === "mcp_approval_response")
  const answered = new Set(answers.map(({ approval_request_id: id }) => id))
  const requests = new Set(items.flatMap((item) => (item.type === "mcp_approval_request" ? item.id : [])))
  const unanswered = [...requests].filter((id) => !answered.has(id))
  if (unanswered.length > 0) throw wireErrors.unanswered(unanswered)
  const lastTurn = items.findLastIndex(({ type }) => turns.has(type))
  const live = items.slice(lastTurn + 1).filter((item) => item.type === "mcp_approval_response")
  if (live.length === 0) {
    await mustBeOver(answered, ownItems)
    return { kind: "begins", before: [], from: null, leg: 0, items }
  }
  const liveIds = answeredIn(live)
  const [run, ...others] = new Set(liveIds.map(runOfItem))
  const own = run == null || others.length > 0 ? null : await ownItems.run(run)
  if (own === null) throw wireErrors.stray(liveIds)
  const legOf = new Map([...own.legs.keys()].flatMap((leg) => [...requestsOf(own, leg).keys()].map((id) => [id, leg])))
  const strays = liveIds.filter((id) => !legOf.has(id))
  const leg = legOf.get(liveIds.at(-1) ?? "")
  if (strays.length > 0 || leg === undefined) throw wireErrors.stray(strays)
  // A leg that was answered with a no may be followed by one that only asks again: its answers are no longer live.
  const toLast = liveIds.filter((id) => legOf.get(id) === leg)
  await mustBeAsMade(own, requestsOf(own, leg), toLast, items)
  const outputs = items.slice(lastTurn + 1).filter(({ type }) => type === "function_call_output")
  mustHaveOutputs(await openFunctions(world, own, leg), outputs)
  return answersTo(own, leg, [...live, ...outputs])
}

/** Items after which an answer would come too late to be one to what was asked last. Outputs of functions come with the answers. */
const turns: ReadonlySet<InputItem["type"]> = new Set(["message", "reasoning", "function_call", "mcp_call"])

/** An answer that is followed by something else counts for nothing: a call that still waits is not forgotten by it. */
async function mustBeOver(requests: Iterable<string>, ownItems: OwnItems): Promise<void> {
  const waiting: string[] = []
  for (const [from, ids] of Map.groupBy(requests, runOfItem)) {
    const isPaused = from !== null && (await ownItems.state(from))?.run.status === "paused"
    const own = isPaused ? await ownItems.run(from) : null
    if (own?.run.status !== "paused") continue
    const asked = requestsOf(own, own.run.legs)
    for (const id of ids) if (asked.has(id)) waiting.push(id)
  }
  if (waiting.length > 0) throw wireErrors.answerFirst(waiting)
}

/** The calls that a leg asked about, by the id of the request. */
function requestsOf({ run, legs }: KnownRun, leg: number): ReadonlyMap<string, string> {
  return new Map(legs.get(leg)?.asked.map(({ call }) => [callItemId("mcpr", run.id, call), call]))
}

function answersTo(own: KnownRun, leg: number, items: readonly InputItem[]): ResponsePlan {
  const asked = requestsOf(own, leg)
  const answers = new Map<string, ApprovalAnswer>()
  const outputs: InputItem[] = []
  const others: InputItem[] = []
  for (const item of items) {
    const call = item.type === "mcp_approval_response" ? asked.get(item.approval_request_id) : undefined
    if (item.type === "mcp_approval_response" && call !== undefined) answers.set(call, item)
    else if (item.type === "function_call_output") outputs.push(item)
    else if (item.type === "message" && item.role !== "assistant") others.push(item)
  }
  const missing = [...asked].flatMap(([id, call]) => (answers.has(call) ? [] : [id]))
  if (missing.length > 0) throw wireErrors.unanswered(missing)
  if (others.length > 0) throw wireErrors.answerFirst([...asked.keys()])
  return { kind: "answers", own, leg, answers, outputs }
}

/** The requests that are answered, each of them once. */
function answeredIn(items: readonly InputItem[]): readonly string[] {
  const ids = new Set<string>()
  for (const item of items) {
    if (item.type !== "mcp_approval_response") continue
    if (ids.has(item.approval_request_id)) throw wireErrors.answeredTwice(item.approval_request_id)
    ids.add(item.approval_request_id)
  }
  return [...ids]
}

/** Answers are to what the leg asked, as it asked it. Nothing is compared for an answer to anything else. */
async function mustBeAsMade(
  own: KnownRun,
  asked: ReadonlyMap<string, string>,
  answered: readonly string[],
  items: readonly InputItem[],
): Promise<void> {
  if (answered.length === 0) return
  const strays = answered.filter((id) => !asked.has(id))
  if (strays.length > 0) throw wireErrors.stray(strays)
  const claimed = new Map(items.flatMap((item) => (item.type === "mcp_approval_request" ? [[item.id, item]] : [])))
  const made = await own.items()
  const forged = answered.filter((id) => !isAsItWasMade(made.get(id), claimed.get(id)))
  if (forged.length > 0) throw wireErrors.stray(forged)
}

type RequestItem = Extract<InputItem, { type: "mcp_approval_request" }>

function isAsItWasMade(made: OutputItem | undefined, claimed: RequestItem | undefined): boolean {
  if (made?.type !== "mcp_approval_request") return false
  // Some clients send the answer alone: the id says which call it is about.
  if (claimed === undefined) return true
  const { server_label: label, name } = claimed
  return made.server_label === label && made.name === name && sameArguments(made.arguments, claimed.arguments)
}

function sameArguments(made: string, claimed: string): boolean {
  if (made === claimed) return true
  const [one, other] = [made, claimed].map((text) => {
    const read = readJson(text)
    const args = read.ok ? asObject(read.value) : undefined
    return args === undefined ? null : canonicalJson(args)
  })
  return one !== null && one === other
}

export function messagesUpTo({ legs }: KnownRun, leg: number): readonly ModelMessage[] {
  for (const [at, { messages }] of [...legs].toReversed()) {
    const said = at <= leg ? messages() : []
    if (said.length > 0) return said
  }
  return []
}

/** The functions of the caller that a leg called and that have no output yet, by call. */
async function openFunctions(world: ResponsesWorld, own: KnownRun, leg: number): Promise<ReadonlyMap<string, string>> {
  const { tools } = await toolsOf(world, own.run, own.run.setup.servers)
  const labelOf = labeller(requestAt(own.face, leg), tools)
  const calls = own.legs.get(leg)?.calls() ?? []
  return new Map(calls.filter(({ tool }) => labelOf(tool) === "function").map(({ call, tool }) => [call, tool]))
}

function mustHaveOutputs(open: ReadonlyMap<string, string>, items: readonly InputItem[]): void {
  const given = new Set(items.flatMap((item) => (item.type === "function_call_output" ? item.call_id : [])))
  for (const call of open.keys()) if (!given.has(call)) throw wireErrors.noOutput(call)
}
