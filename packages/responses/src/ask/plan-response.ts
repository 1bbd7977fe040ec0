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
  const given = items.filter((item) => item.type === "mcp_approval_response")
  const asked = requestsOf(own, leg)
  const claimed = new Map(items.flatMap((item) => (item.type === "mcp_approval_request" ? [[item.id, item]] : [])))
  const ids = given.map(({ approval_request_id: id }) => id)
  const stray = ids.filter((id) => !asked.has(id) || !isAsItWasMade(own, id, claimed.get(id)))
  if (stray.length > 0) throw wireErrors.stray(stray)
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
  const requests = new Map(items.flatMap((item) => (item.type === "mcp_approval_request" ? [[item.id, item]] : [])))
  const unanswered = [...requests.keys()].filter((id) => !answered.has(id))
  if (unanswered.length > 0) throw wireErrors.unanswered(unanswered)
  const lastTurn = items.findLastIndex(({ type }) => turns.has(type))
  const live = items.slice(lastTurn + 1).filter((item) => item.type === "mcp_approval_response")
  if (live.length === 0) {
    await mustBeOver(answered, ownItems)
    return { kind: "begins", before: [], from: null, leg: 0, items }
  }
  const liveIds = live.map(({ approval_request_id: id }) => id)
  const [run, ...others] = new Set(liveIds.map(runOfItem))
  const own = run == null || others.length > 0 ? null : await ownItems.run(run)
  if (own === null) throw wireErrors.stray(liveIds)
  const forged = liveIds.filter((id) => !isAsItWasMade(own, id, requests.get(id)))
  if (forged.length > 0) throw wireErrors.stray(forged)
  const leg = [...own.legs.keys()].find((one) => requestsOf(own, one).has(liveIds[0] ?? ""))
  if (leg === undefined) throw wireErrors.stray(liveIds)
  const outputs = items.slice(lastTurn + 1).filter(({ type }) => type === "function_call_output")
  mustHaveOutputs(await openFunctions(world, own, leg), outputs)
  return answersTo(own, leg, [...live, ...outputs])
}

/** Items after which an answer would come too late to be one to what was asked last. Outputs of functions come with the answers. */
const turns: ReadonlySet<InputItem["type"]> = new Set(["message", "reasoning", "function_call", "mcp_call"])

/** An answer that is followed by something else counts for nothing: a call that still waits is not forgotten by it. */
async function mustBeOver(requests: Iterable<string>, ownItems: OwnItems): Promise<void> {
  const waiting: string[] = []
  for (const id of requests) {
    const from = runOfItem(id)
    const isPaused = from !== null && (await ownItems.state(from))?.run.status === "paused"
    const own = isPaused ? await ownItems.run(from) : null
    if (own?.run.status === "paused" && requestsOf(own, own.run.legs).has(id)) waiting.push(id)
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

type RequestItem = Extract<InputItem, { type: "mcp_approval_request" }>

function isAsItWasMade({ items }: KnownRun, id: string, claimed: RequestItem | undefined): boolean {
  const made = items.get(id)
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
  const [last] = [...legs].filter(([at, { messages }]) => at <= leg && messages.length > 0).slice(-1)
  return last?.[1].messages ?? []
}

/** The functions of the caller that a leg called and that have no output yet, by call. */
async function openFunctions(world: ResponsesWorld, own: KnownRun, leg: number): Promise<ReadonlyMap<string, string>> {
  const { tools } = await toolsOf(world, own.run, own.run.setup.servers)
  const labelOf = labeller(requestAt(own.face, leg), tools)
  const calls = own.legs.get(leg)?.calls ?? []
  return new Map(calls.filter(({ tool }) => labelOf(tool) === "function").map(({ call, tool }) => [call, tool]))
}

function mustHaveOutputs(open: ReadonlyMap<string, string>, items: readonly InputItem[]): void {
  const given = new Set(items.flatMap((item) => (item.type === "function_call_output" ? item.call_id : [])))
  for (const call of open.keys()) if (!given.has(call)) throw wireErrors.noOutput(call)
}
