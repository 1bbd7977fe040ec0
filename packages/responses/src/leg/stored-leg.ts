import { type JournalLine, type Outcome, type RunGate, readStoredJson } from "@byleave/core"
import { allLines, modelOutput, refusalOf } from "@byleave/runs"
import type { ModelMessage } from "ai"
import { argumentsText, denied, type LegEvent, outputText } from "./leg-events.ts"

/** A leg as the journal has it. */
export type StoredLeg = {
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Whether it came to its end: a pause, or the end of the run. A leg that failed did not. */
  readonly isWhole: boolean
  /** False: it failed, and a later leg that plays it again has all of it. */
  readonly isLasting: boolean
  readonly input: () => readonly ModelMessage[]
  /** With those of legs before it that failed. Made when it is asked for: each of many legs may have the same ones. */
  readonly events: () => readonly LegEvent[]
  /** Calls that people had to be asked about, in order. */
  readonly asked: readonly StoredCall[]
  /** Every call that its model proposed, with those of legs before it that failed. */
  readonly calls: () => readonly StoredCall[]
  /** The approvals that calls ran by. */
  readonly approvals: ReadonlyMap<string, string>
  /** Everything said up to and with this leg. */
  readonly messages: () => readonly ModelMessage[]
}

export type StoredCall = { readonly call: string; readonly tool: string; readonly args: string }

/**
 * All legs of a run that the journal knows of; the first is at 1. Messages are kept as the text of their lines, and read where somebody asks for them:
 * as values they may take many times as much, and most readers need none.
 */
export async function readLegs(gate: Pick<RunGate, "journal">, run: string): Promise<ReadonlyMap<number, StoredLeg>> {
  const legs = new Map<number, Draft>()
  const lines: string[] = []
  let leg = 0
  let open: Draft = newDraft(newPlayed())
  const draftOf = (at: number): Draft => {
    if (at === leg) return open
    leg = at
    // A leg that failed is played again by the next one.
    open = newDraft(open.isWhole ? newPlayed() : open.played)
    legs.set(at, open)
    return open
  }
  for await (const line of allLines(gate, run)) {
    const [kind = "", rest = ""] = splitName(line.name)
    // Outcomes name their call and not their leg: the first of a leg that goes on after a pause come before any answer of it.
    const named =
      kind === "input" || kind === "leg" ? Number(rest) : kind === "answer" ? Number(rest.split(".")[0]) : null
    const draft = draftOf(named ?? (open.isWhole ? leg + 1 : leg))
    draft.startedAt ??= line.at
    draft.endedAt = line.at
    readLine(draft, kind, rest, line)
    const { events, calls } = draft.played
    draft.ends = { ...draft.ends, events: events.length, calls: calls.length }
    if (kind !== "input" && kind !== "leg") continue
    lines.push(line.text)
    draft.ends.lines = lines.length
  }
  return new Map([...legs].map(([at, draft]) => [at, storedLeg(draft, lines, at === leg)]))
}

function storedLeg({ played, ends, input, ...draft }: Draft, lines: readonly string[], isLast: boolean): StoredLeg {
  return {
    ...draft,
    input: () => (input === null ? [] : messagesIn(input)),
    isLasting: draft.isWhole || isLast,
    events: () => played.events.slice(0, ends.events),
    calls: () => played.calls.slice(0, ends.calls),
    messages: () => lines.slice(0, ends.lines).flatMap(messagesIn),
  }
}

/** Legs that failed and the one that goes on after them share what was played; each of them ends somewhere in it. */
type Played = { readonly events: LegEvent[]; readonly calls: StoredCall[] }

type Draft = {
  startedAt: number | null
  endedAt: number | null
  isWhole: boolean
  /** The text of its line; null: it has none. */
  input: string | null
  readonly played: Played
  ends: { events: number; calls: number; lines: number }
  asked: StoredCall[]
  readonly approvals: Map<string, string>
}

function newPlayed(): Played {
  return { events: [], calls: [] }
}

function newDraft(played: Played): Draft {
  return {
    startedAt: null,
    endedAt: null,
    isWhole: false,
    input: null,
    played,
    ends: { events: played.events.length, calls: played.calls.length, lines: 0 },
    asked: [],
    approvals: new Map(),
  }
}

function readLine(draft: Draft, kind: string, rest: string, line: JournalLine): void {
  switch (kind) {
    case "input":
      draft.input = line.text
      break
    case "answer":
      readAnswer(draft, line)
      break
    case "outcome": {
      const outcome = readStoredJson(line.text) as Outcome
      if (outcome.approval !== null) draft.approvals.set(rest, outcome.approval)
      draft.played.events.push(endedBy(rest, outcome))
      break
    }
    case "leg":
      endLeg(draft, messagesIn(line.text))
      break
    default:
      break
  }
}

type AnswerPart =
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "text-end" | "reasoning-end"; readonly id: string }
  | {
      readonly type: "tool-call"
      readonly toolCallId: string
      readonly toolName: string
      readonly input: string
      readonly providerMetadata?: unknown
    }
  | {
      readonly type: "finish"
      readonly finishReason: { readonly unified: string }
      readonly usage: {
        readonly inputTokens: { readonly total?: number; readonly cacheRead?: number }
        readonly outputTokens: { readonly total?: number; readonly reasoning?: number }
      }
    }
  | { readonly type: "other" }

function readAnswer(draft: Draft, { text }: JournalLine): void {
  const { parts } = JSON.parse(text) as { readonly parts: readonly AnswerPart[] }
  draft.played.events.push({ type: "step" })
  for (const part of parts) {
    switch (part.type) {
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "reasoning"
        draft.played.events.push({ type: "said", kind, id: `${kind} ${part.id}`, delta: part.delta })
        break
      }
      case "text-end":
      case "reasoning-end":
        draft.played.events.push({ type: "said-end", id: `${part.type.split("-")[0]} ${part.id}` })
        break
      case "tool-call": {
        if (refusalOf(part) !== undefined) break
        const call = { call: part.toolCallId, tool: part.toolName, args: argumentsText(part.input) }
        draft.played.calls.push(call)
        draft.played.events.push({ type: "called", ...call })
        break
      }
      case "finish": {
        const { inputTokens, outputTokens } = part.usage
        const usage = {
          input: inputTokens.total ?? 0,
          cached: inputTokens.cacheRead ?? 0,
          output: outputTokens.total ?? 0,
          reasoning: outputTokens.reasoning ?? 0,
        }
        draft.played.events.push({ type: "answered", usage, finish: part.finishReason.unified })
        break
      }
      default:
        break
    }
  }
}

function endedBy(call: string, outcome: Outcome): LegEvent {
  const output = modelOutput(outcome)
  return { type: "ended", call, text: outputText(output), isError: output.type === "error-text" }
}

function endLeg(draft: Draft, messages: readonly ModelMessage[]): void {
  draft.isWhole = true
  const ended = new Set(draft.played.events.flatMap((event) => (event.type === "ended" ? event.call : [])))
  const own = new Map(draft.played.calls.map((call) => [call.call, call]))
  for (const { role, content } of messages) {
    if (typeof content === "string") continue
    for (const part of content) {
      if (role === "assistant" && part.type === "tool-approval-request" && part.isAutomatic !== true) {
        const call = own.get(part.toolCallId)
        if (call !== undefined) draft.asked.push(call)
      }
      // Calls that were refused before they came to the gate have no outcome of their own.
      if (role === "tool" && part.type === "tool-result" && own.has(part.toolCallId) && !ended.has(part.toolCallId)) {
        draft.played.events.push({
          type: "ended",
          call: part.toolCallId,
          text: outputText(part.output) || denied,
          isError: true,
        })
      }
    }
  }
}

function messagesIn(text: string): readonly ModelMessage[] {
  return (JSON.parse(text) as { readonly messages: readonly ModelMessage[] }).messages
}

function splitName(name: string): readonly [kind: string, rest: string] {
  const [kind = ""] = name.split(" ", 1)
  return [kind, name.slice(kind.length + 1)]
}
