/**
 * A run's journal as turns: what was said to the agent, and what it did about it.
 *
 * I1. A turn has one id for good, through all pauses, wherever it is read.
 */
import { type JournalLine, type Outcome, type RunGate, readStoredJson } from "@byleave/core"
import type { ModelMessage } from "ai"
import { type Answer, allLines } from "../journal/journal.ts"
import { type ToldOutcome, toldOf } from "../loop/outcome-words.ts"
import type { FrontPorts } from "./front-ports.ts"

export type Turn = {
  /** Of the agent's message. */
  readonly id: string
  /** The leg that took the input. */
  readonly leg: number
  readonly input: readonly ModelMessage[]
  readonly legs: readonly TurnLeg[]
}
/** `ended`: false where the leg is under way, failed or was left behind. */
export type TurnLeg = { readonly leg: number; readonly messages: readonly ModelMessage[]; readonly ended: boolean }

type OpenTurn = Turn & { readonly input: ModelMessage[]; readonly legs: TurnLeg[] }

/** The turns of a run, or what is asked of them, read when it is the caller's turn. Nothing else of the run is kept in memory. */
export async function fromTurns<Result>(
  { gate, runs, readInTurn = (_, read) => read() }: Pick<FrontPorts, "gate" | "runs" | "readInTurn">,
  id: string,
  take: (turns: readonly Turn[]) => Result,
): Promise<Result> {
  const bytes = (await runs.get(id))?.bytes ?? 0
  return readInTurn(bytes, async () => take(await readTurns(gate, id)))
}

export async function readTurns(gate: Pick<RunGate, "journal">, run: string): Promise<readonly Turn[]> {
  const turns: OpenTurn[] = []
  let answers: Array<{ readonly leg: number; readonly answer: Answer }> = []
  const outcomes = new Map<string, ToldOutcome>()
  const begun = new Map<number, number>()
  const lastTurn = (leg: number): OpenTurn => turns.at(-1) ?? begin(leg)
  const begin = (leg: number): OpenTurn => {
    const before = begun.get(leg) ?? 0
    begun.set(leg, before + 1)
    const turn = { id: turnId(run, leg, before), leg, input: [], legs: [] }
    turns.push(turn)
    return turn
  }
  for await (const line of allLines(gate, run)) {
    const [kind = "", rest = ""] = line.name.split(" ", 2)
    const leg = Number.parseInt(rest, 10)
    if (kind === "input") takeInput(leg, messagesIn(line))
    else if (kind === "leg") {
      lastTurn(leg).legs.push({ leg, messages: messagesIn(line), ended: true })
      answers = []
      outcomes.clear()
    } else if (kind === "answer") answers.push({ leg, answer: JSON.parse(line.text) })
    else if (kind === "outcome") {
      const outcome = readStoredJson(line.text) as Outcome
      outcomes.set(line.name.slice("outcome ".length), toldOf(outcome))
    }
  }
  const open = answers.at(-1)
  if (open !== undefined) {
    const messages = answers.flatMap(({ answer }) => messagesOf(answer, outcomes))
    lastTurn(open.leg).legs.push({ leg: open.leg, messages, ended: false })
  }
  return turns

  /** An imported run begins with everything that was said elsewhere. */
  function takeInput(leg: number, messages: readonly ModelMessage[]): void {
    let turn: OpenTurn | null = null
    let said: ModelMessage[] = []
    for (const message of messages) {
      if (message.role === "user") {
        if (turn === null || turn.legs.length > 0) turn = begin(leg)
        turn.input.push(message)
      } else if (message.role !== "system") {
        turn ??= begin(leg)
        if (turn.legs.length === 0) {
          said = []
          turn.legs.push({ leg: 0, messages: said, ended: true })
        }
        said.push(message)
      }
    }
    if (turn === null) begin(leg)
  }
}

function turnId(run: string, leg: number, before: number): string {
  return before === 0 ? `${run}/${leg}` : `${run}/${leg}-${before}`
}

/** The run that gave a message this id; null for messages of others. */
export function runOfMessage(id: string): string | null {
  const [run, leg] = id.split("/", 2)
  return run === undefined || run === "" || leg === undefined ? null : run
}

function messagesIn(line: JournalLine): readonly ModelMessage[] {
  return JSON.parse(line.text).messages
}

/** An answer of a leg that has not ended, with the outcomes there are. */
function messagesOf({ parts }: Answer, outcomes: ReadonlyMap<string, ToldOutcome>): readonly ModelMessage[] {
  const said: Array<{ type: "text" | "reasoning"; text: string }> = []
  const calls: Array<{ type: "tool-call"; toolCallId: string; toolName: string; input: unknown }> = []
  for (const part of parts) {
    if (part.type === "text-delta") said.push({ type: "text", text: part.delta })
    else if (part.type === "reasoning-delta") said.push({ type: "reasoning", text: part.delta })
    else if (part.type === "tool-call" && part.providerExecuted !== true) {
      const { toolCallId, toolName } = part
      calls.push({ type: "tool-call", toolCallId, toolName, input: inputOf(part.input) })
    }
  }
  const results = calls.flatMap(({ toolCallId, toolName }) => {
    const outcome = outcomes.get(toolCallId)
    if (outcome === undefined) return []
    const { denied } = outcome
    const output = denied === null ? outcome.output : { type: "execution-denied" as const, reason: denied }
    return [{ type: "tool-result" as const, toolCallId, toolName, output }]
  })
  const answer = { role: "assistant", content: [...said, ...calls] } as const
  return [answer, ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }])] as ModelMessage[]
}

function inputOf(text: string): unknown {
  try {
    return JSON.parse(text.trim() || "{}")
  } catch {
    return text
  }
}
