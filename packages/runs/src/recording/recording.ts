/**
 * A recording: JSON lines of what was asked and what happened, leg by leg.
 *
 * I1. It ends with an `end` line, and only once nothing in it waits for a person.
 * I2. Headers, cookies, keys and tokens of whoever asked are not in it.
 */
import { asObject, isObject, type JsonObject, type JsonValue, memberAt, objectAt, textAt } from "@byleave/core"

/** `run`: made from a run's journal. `responses`: of requests to the Responses API and the events that came back. */
export type RecordedKind = "run" | "responses"

export type Recording = {
  readonly of: RecordedKind
  readonly legs: readonly RecordedLeg[]
  /** How it ended; null: it goes on, or somebody has yet to answer. */
  readonly end: JsonObject | null
}

export type RecordedLeg = {
  /** Since the beginning of the recording. */
  readonly ms: number
  readonly request: JsonObject
  readonly events: ReadonlyArray<{ readonly ms: number; readonly event: JsonObject }>
}

export type RecordingRead =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly line: number; readonly problem: string }

const recordingFormat = 1

export function writeRecording({ of, legs, end }: Recording): string {
  const lines = legs.flatMap(({ ms, request, events }, before) => {
    const leg = before + 1
    return [requestLine(leg, { ms, request }), ...events.map((event) => eventLine(leg, event))]
  })
  return joinRecording(of, lines, end)
}

/** A recording whose lines are written already, one after the other. */
export function joinRecording(of: RecordedKind, lines: readonly string[], end: Recording["end"]): string {
  const first = written({ recording: { format: recordingFormat, of } })
  return [first, ...lines, ...(end === null ? [] : [written({ end })])].join("")
}

export function requestLine(leg: number, { ms, request }: Pick<RecordedLeg, "ms" | "request">): string {
  return written({ leg, ms, request })
}

export function eventLine(leg: number, { ms, event }: RecordedLeg["events"][number]): string {
  return written({ leg, ms, event })
}

function written(line: object): string {
  return `${JSON.stringify(line)}\n`
}

export function readRecording(text: string): RecordingRead {
  const legs: Array<{ ms: number; request: JsonObject; events: Array<{ ms: number; event: JsonObject }> }> = []
  let of: RecordedKind | null = null
  let end: JsonObject | null = null
  for (const [at, source] of text.split("\n").entries()) {
    if (source.trim() === "") continue
    const wrong = (problem: string): RecordingRead => ({ ok: false, line: at + 1, problem })
    const line = parsed(source)
    if (line === undefined) return wrong("It is not a JSON object.")
    if (end !== null) return wrong("The recording has ended before.")
    if (of === null) {
      of = kindOf(objectAt(line, "recording"))
      if (of === null) return wrong("It does not begin a recording that this version can read.")
      continue
    }
    const [request, event, ended] = [objectAt(line, "request"), objectAt(line, "event"), objectAt(line, "end")]
    const { leg, ms } = line
    const last = legs.at(-1)
    if (ended !== undefined) end = ended
    else if (typeof leg !== "number" || typeof ms !== "number") return wrong("It has no leg and time.")
    else if (request !== undefined && leg === legs.length + 1) legs.push({ ms, request, events: [] })
    else if (event !== undefined && leg === legs.length && last !== undefined) last.events.push({ ms, event })
    else return wrong("It is neither the next request nor an event of the last one.")
  }
  if (of === null) return { ok: false, line: 1, problem: "It is empty." }
  return { ok: true, recording: { of, legs, end } }
}

function kindOf(head: JsonObject | undefined): RecordedKind | null {
  const of = textAt(head, "of")
  return memberAt(head, "format") === recordingFormat && (of === "run" || of === "responses") ? of : null
}

function parsed(text: string): JsonObject | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return undefined
  }
}

const secretNames =
  /^(?:headers|authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key|access[-_]?token)$/i

/** The inputs and outputs of tools belong to the story; how they were redacted is the redactor's business. */
const contentNames: ReadonlySet<string> = new Set(["args", "input", "outcome", "output", "arguments", "messages"])

/** Without what nobody who reads a recording may have. */
export function withoutSecrets(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, redact))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name]) => !secretNames.test(name))
  return Object.fromEntries(
    kept.map(([name, member]) => [
      name,
      contentNames.has(name) ? redacted(member, redact) : withoutSecrets(member, redact),
    ]),
  )
}

function redacted(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value)
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, redacted(member, redact)]))
}
