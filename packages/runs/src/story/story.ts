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
    | ({
        readonly kind: "message"
        readonly role: ModelMessage["role"]
        readonly pictures?: readonly StoryPicture[]
      } & Words)
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

/** A picture of a message; `nth`: its place among those of its line. */
export type StoryPicture = {
  readonly nth: number
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
}

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
  return { items: lines.flatMap((line) => itemsOf(line, mostShown)), next: lines.at(-1)?.seq ?? null }
}

/** All turns, uncut. */
export async function wholeStory(gate: Pick<RunGate, "journal">, run: string): Promise<readonly StoryItem[]> {
  const items: StoryItem[] = []
  for await (const line of allLines(gate, run))
    for (const item of itemsOf(line, Number.POSITIVE_INFINITY)) items.push(item)
  return items
}

/** Looks for words, given in lower case, in what was said in a run; `read`: how much of its journal was read for it. */
export async function isSaidIn(
  gate: Pick<RunGate, "journal">,
  run: string,
  { words, most }: { readonly words: string; readonly most: number },
): Promise<{ readonly isFound: boolean; readonly read: number }> {
  let read = 0
  for await (const line of allLines(gate, run)) {
    read += line.text.length
    if (line.name.startsWith("outcome ")) continue
    const said = itemsOf(line, Number.POSITIVE_INFINITY)
    const isFound = said.some((item) => isSpoken(item) && item.text.toLowerCase().includes(words))
    if (isFound || read >= most) return { isFound, read }
  }
  return { isFound: false, read }
}

/** Said by a person or the model, rather than by a tool. */
function isSpoken(item: StoryItem): item is Extract<StoryItem, { kind: "message" | "answer" }> {
  return item.kind === "answer" || (item.kind === "message" && item.role !== "tool")
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

function itemsOf(line: JournalLine, most: number): readonly StoryItem[] {
  const { seq, at, name } = line
  const [kind = ""] = name.split(" ", 1)
  const rest = name.slice(kind.length + 1)
  switch (kind) {
    case "input":
      return inputItems(line, most)
    case "answer": {
      const [leg = 0, step = 0] = rest.split(".").map(Number)
      return [{ seq, at, kind: "answer", leg, step, ...answerOf(JSON.parse(line.text), most) }]
    }
    case "outcome":
      return [{ seq, at, kind: "outcome", toolCall: rest, ...outcomeOf(readStoredJson(line.text) as Outcome, most) }]
    case "note":
      return [{ seq, at, kind: "message", role: "system", ...cut(JSON.parse(line.text).text, most) }]
    case "stopped":
      return stoppedItems(line, Number(rest), most)
    case "leg":
      return [...deniedIn(line, most), { seq, at, kind: "leg-ended", leg: Number(rest) }]
    default:
      return []
  }
}

function inputItems(line: JournalLine, most: number): readonly StoryItem[] {
  const { seq, at } = line
  let nth = 0
  return messagesOf(line).map((message) => {
    const pictures = picturesIn(message).map((part) => ({
      nth: nth++,
      name: part.filename,
      mediaType: part.mediaType,
      bytes: Math.floor((part.data.length * 3) / 4),
    }))
    const words = cut(textOf(message), most)
    return { seq, at, kind: "message", role: message.role, ...words, ...(pictures.length === 0 ? {} : { pictures }) }
  })
}

type Picture = { readonly mediaType: string; readonly data: string; readonly filename: string }

function picturesIn({ role, content }: ModelMessage): readonly Picture[] {
  if (role !== "user" || typeof content === "string") return []
  return content.flatMap((part) => {
    if (part.type !== "file" || typeof part.data !== "string" || !part.mediaType.startsWith("image/")) return []
    return [{ mediaType: part.mediaType, data: part.data, filename: part.filename ?? "" }]
  })
}

/** A picture of a message, by its line and its place; null: there is none. */
export async function pictureOf(
  gate: Pick<RunGate, "journal">,
  run: string,
  seq: number,
  nth: number,
): Promise<Pick<Picture, "mediaType" | "data"> | null> {
  const line = (await gate.journal(run, seq - 1)).find((each) => each.seq === seq)
  if (line === undefined || !line.name.startsWith("input ")) return null
  const found = messagesOf(line).flatMap(picturesIn)[nth]
  return found === undefined ? null : { mediaType: found.mediaType, data: found.data }
}

/** A leg that a person stopped: what the model had said of its last step, and that it ended. */
function stoppedItems({ seq, at, text }: JournalLine, leg: number, most: number): readonly StoryItem[] {
  const said = cut((JSON.parse(text) as { readonly text: string }).text, most)
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

function answerOf({ parts }: Answer, most: number) {
  const said = (type: "text-delta" | "reasoning-delta"): string =>
    parts.flatMap((part) => (part.type === type ? [part.delta] : [])).join("")
  const end = parts.find((part) => part.type === "finish")
  const reasoning = cut(said("reasoning-delta"), most)
  return {
    ...cut(said("text-delta"), most),
    reasoning: reasoning.text,
    isReasoningCut: reasoning.isCut,
    calls: parts.flatMap((part) => callOf(part, most)),
    usage: usageOf(end),
  }
}

function callOf(part: LanguageModelV4StreamPart, most: number): readonly StoryCall[] {
  if (part.type !== "tool-call") return []
  const { text: argsText, isCut } = cut(part.input, most)
  return [{ toolCall: part.toolCallId, name: part.toolName, argsText, isCut }]
}

function usageOf(end: Extract<LanguageModelV4StreamPart, { type: "finish" }> | undefined): TokenUsage {
  const input = end?.usage.inputTokens.total ?? 0
  const output = end?.usage.outputTokens.total ?? 0
  return { input, output, total: input + output }
}

function outcomeOf(outcome: Outcome, most: number) {
  return {
    outcome: outcome.kind === "ticket" ? ("unknown" as const) : outcome.kind,
    ...cut(wordsOf(modelOutput(outcome)), most),
    approval: outcome.approval,
  }
}

/** As models are told it; parts that are not text are named. */
export function wordsOf(output: ReturnType<typeof modelOutput>): string {
  if (output.type !== "content") return output.value
  return output.value.map((part) => (part.type === "text" ? part.text : `[${part.mediaType}]`)).join("\n")
}

/** Calls that a reviewer denied have no outcome of their own: AI SDK writes down the answer. */
function deniedIn(line: JournalLine, most: number): readonly StoryItem[] {
  const { seq, at } = line
  const results = messagesOf(line).flatMap(({ role, content }) => (role === "tool" ? content : []))
  return results.flatMap((part): readonly StoryItem[] => {
    if (part.type !== "tool-result" || part.output.type !== "execution-denied") return []
    const words = cut(reasonOf(part.output), most)
    return [{ seq, at, kind: "outcome", toolCall: part.toolCallId, outcome: "refusal", ...words, approval: null }]
  })
}

function reasonOf(output: Extract<ToolResultPart["output"], { type: "execution-denied" }>): string {
  return output.reason ?? "This call was denied."
}

function cut(text: string, most: number): Words {
  return text.length > most ? { text: text.slice(0, most), isCut: true } : { text, isCut: false }
}
