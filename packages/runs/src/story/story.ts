/** The story of a run's journal, for people. Needs no library of models, so that a service can read stories without loading one. */
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import {
  type AgentRun,
  type JournalLine,
  type Outcome,
  type RunGate,
  readStoredJson,
  type TokenUsage,
} from "@byleave/core"
import type { ModelMessage, ToolResultPart } from "ai"
import { type Answer, allLines, lineNames } from "../journal/journal.ts"
import { modelOutput } from "../loop/outcome-words.ts"

/** Long words are cut here, and `isCut` says so: a page shows beginnings. */
const mostShown = 20_000

type StoryFacts = { readonly seq: number; readonly at: number }
type Words = { readonly text: string; readonly isCut: boolean }

/** One turn of the story. Calls are known by `toolCall`. */
export type StoryItem = StoryFacts &
  (
    | ({ readonly kind: "message"; readonly role: ModelMessage["role"] } & Words)
    | ({
        readonly kind: "answer"
        readonly leg: number
        readonly step: number
        readonly reasoning: string
        readonly isReasoningCut: boolean
        readonly calls: readonly StoryCall[]
        readonly usage: TokenUsage
      } & Words)
    | ({
        readonly kind: "outcome"
        readonly toolCall: string
        readonly outcome: Exclude<Outcome["kind"], "ticket">
        readonly approval: string | null
      } & Words)
    | { readonly kind: "leg-ended"; readonly leg: number }
  )

export type StoryCall = {
  readonly toolCall: string
  readonly name: string
  readonly argsText: string
  readonly isCut: boolean
}

/** The turns of a page of lines, oldest first, and the line to go on after; null: that was all. */
export async function storyOf(
  gate: Pick<RunGate, "journal">,
  run: string,
  after: number,
): Promise<{ readonly items: readonly StoryItem[]; readonly next: number | null }> {
  const lines = await gate.journal(run, after)
  return { items: lines.flatMap(itemsOf), next: lines.at(-1)?.seq ?? null }
}

/** The end of a leg is the last line until the next one begins; others may have begun to write since the run was read. */
const linesLookedAt = 16

/** The model's text in the newest leg; empty until the leg has ended. */
export async function newestText(
  gate: Pick<RunGate, "journal" | "lastLine">,
  run: Pick<AgentRun, "id" | "legs">,
): Promise<string> {
  const name = lineNames.leg(run.legs)
  const from = Math.max(0, (await gate.lastLine(run.id)) - linesLookedAt)
  for await (const line of allLines(gate, run.id, from)) {
    if (line.name === name) return messagesOf(line).flatMap(spoken).join("\n\n")
  }
  return ""
}

function spoken(message: ModelMessage): readonly string[] {
  const text = message.role === "assistant" ? textOf(message) : ""
  return text === "" ? [] : [text]
}

function itemsOf(line: JournalLine): readonly StoryItem[] {
  const { seq, at, name } = line
  const [kind = ""] = name.split(" ", 1)
  const rest = name.slice(kind.length + 1)
  switch (kind) {
    case "input":
      return messagesOf(line).map((message) => ({
        ...{ seq, at },
        kind: "message",
        role: message.role,
        ...cut(textOf(message)),
      }))
    case "answer": {
      const [leg = 0, step = 0] = rest.split(".").map(Number)
      return [{ seq, at, kind: "answer", leg, step, ...answerOf(JSON.parse(line.text)) }]
    }
    case "outcome":
      return [{ seq, at, kind: "outcome", toolCall: rest, ...outcomeOf(readStoredJson(line.text) as Outcome) }]
    case "stopped":
      return stoppedItems(line, Number(rest))
    case "leg":
      return [...deniedIn(line), { seq, at, kind: "leg-ended", leg: Number(rest) }]
    default:
      return []
  }
}

/** A leg that a person stopped: what the model had said of its last step, and that it ended. */
function stoppedItems({ seq, at, text }: JournalLine, leg: number): readonly StoryItem[] {
  const said = cut((JSON.parse(text) as { readonly text: string }).text)
  const answer = {
    kind: "answer",
    leg,
    step: 0,
    reasoning: "",
    isReasoningCut: false,
    calls: [],
    usage: noUsage,
  } as const
  const ended = { seq, at, kind: "leg-ended", leg } as const
  return said.text === "" ? [ended] : [{ seq, at, ...answer, ...said }, ended]
}

const noUsage: TokenUsage = { input: 0, output: 0, total: 0 }

function messagesOf(line: JournalLine): readonly ModelMessage[] {
  return (JSON.parse(line.text) as { readonly messages: readonly ModelMessage[] }).messages
}

function textOf({ content }: ModelMessage): string {
  if (typeof content === "string") return content
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
}

function answerOf({ parts }: Answer) {
  const said = (type: "text-delta" | "reasoning-delta"): string =>
    parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join("")
  const end = parts.find((part) => part.type === "finish")
  const reasoning = cut(said("reasoning-delta"))
  return {
    ...cut(said("text-delta")),
    reasoning: reasoning.text,
    isReasoningCut: reasoning.isCut,
    calls: parts.flatMap(callOf),
    usage: usageOf(end),
  }
}

function callOf(part: LanguageModelV4StreamPart): readonly StoryCall[] {
  if (part.type !== "tool-call") return []
  const { text: argsText, isCut } = cut(part.input)
  return [{ toolCall: part.toolCallId, name: part.toolName, argsText, isCut }]
}

function usageOf(end: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined): TokenUsage {
  const input = end?.usage.inputTokens.total ?? 0
  const output = end?.usage.outputTokens.total ?? 0
  return { input, output, total: input + output }
}

function outcomeOf(outcome: Outcome) {
  return {
    outcome: outcome.kind === "ticket" ? ("unknown" as const) : outcome.kind,
    ...cut(wordsOf(modelOutput(outcome))),
    approval: outcome.approval,
  }
}

/** As models are told it; parts that are not text are named. */
export function wordsOf(output: ReturnType<typeof modelOutput>): string {
  if (output.type !== "content") return output.value
  return output.value.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n")
}

/** Calls that a reviewer denied have no outcome of their own: AI SDK writes down the answer. */
function deniedIn(line: JournalLine): readonly StoryItem[] {
  const { seq, at } = line
  const results = messagesOf(line).flatMap(({ role, content }) => (role === "tool" ? content : []))
  return results.flatMap((part): readonly StoryItem[] => {
    if (part.type !== "tool-result" || part.output.type !== "execution-denied") return []
    const words = cut(reasonOf(part.output))
    return [{ seq, at, kind: "outcome", toolCall: part.toolCallId, outcome: "refusal", ...words, approval: null }]
  })
}

function reasonOf(output: Extract<ToolResultPart["output"], { type: "execution-denied" }>): string {
  return output.reason ?? "This call was denied."
}

function cut(text: string): Words {
  return text.length > mostShown ? { text: text.slice(0, mostShown), isCut: true } : { text, isCut: false }
}
