import { asObject, isObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@byleave/core"
import { firstDifference } from "./first-difference.ts"
import { type RecordedLeg, type Recording, withoutSecrets, writeRecording } from "./recording.ts"

export type ExchangeRecorder = {
  /** Begins a leg with what was asked of `POST /v1/responses`; give its events to what this gives. */
  readonly request: (body: JsonObject) => (event: JsonObject) => void
  /** False: a response is under way, or an approval that was asked for has no answer yet. */
  readonly isComplete: () => boolean
  readonly text: () => string
}

/** Records requests to the Responses API and the events that come back. */
export function createExchangeRecorder(options: {
  readonly now: () => number
  readonly redact?: (text: string) => string
}): ExchangeRecorder {
  const redact = options.redact ?? ((text: string) => text)
  const legs: Array<RecordedLeg & { readonly events: Array<RecordedLeg["events"][number]> }> = []
  let start: number | null = null
  const since = (): number => {
    const now = options.now()
    start ??= now
    return now - start
  }
  const clean = (value: JsonObject): JsonObject => asObject(withoutSecrets(value, redact)) ?? {}
  const isComplete = (): boolean => legs.length > 0 && legs.every(hasEnded) && openApprovals(legs).length === 0
  return {
    request: (body) => {
      const leg = { ms: since(), request: clean(body), events: [] as Array<RecordedLeg["events"][number]> }
      legs.push(leg)
      return (event) => void leg.events.push({ ms: since(), event: clean(event) })
    },
    isComplete,
    text: () => writeRecording({ of: "responses", legs, end: isComplete() ? { status: "completed" } : null }),
  }
}

const endings: ReadonlySet<JsonValue | undefined> = new Set(
  ["completed", "failed", "incomplete"].map((how) => `response.${how}`),
)

function hasEnded({ events }: RecordedLeg): boolean {
  return endings.has(events.at(-1)?.event.type)
}

/** The approval requests that no later request answers. */
export function openApprovals(legs: readonly RecordedLeg[]): readonly string[] {
  const asked = new Set<string>()
  for (const { request, events } of legs) {
    for (const item of (listAt(request, "input") ?? []).filter(isObject)) {
      if (item.type === "mcp_approval_response") asked.delete(textAt(item, "approval_request_id") ?? "")
    }
    for (const { event } of events) {
      const item = objectAt(event, "item")
      if (event.type === "response.output_item.done" && item?.type === "mcp_approval_request")
        asked.add(textAt(item, "id") ?? "")
    }
  }
  return [...asked]
}

export type ExchangeAnswer =
  | { readonly ok: true; readonly events: readonly JsonObject[] }
  | { readonly ok: false; readonly status: 409; readonly difference: string }

/** Answers requests as the recording has it, in its order, without a model or a server. */
export function replayExchange({ legs }: Recording): (body: JsonObject) => ExchangeAnswer {
  let next = 0
  return (body) => {
    const leg = legs[next]
    const differs = (difference: string): ExchangeAnswer => ({ ok: false, status: 409, difference })
    if (leg === undefined) return differs(`The recording has ${legs.length} requests, and this is one more.`)
    const difference = firstDifference(
      leg.request,
      withoutSecrets(body, (text) => text),
    )
    if (difference !== null) return differs(`Request ${next + 1} differs: ${difference}`)
    next += 1
    return { ok: true, events: leg.events.map(({ event }) => event) }
  }
}
