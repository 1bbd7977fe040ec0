/**
 * The journal of one run: what its legs are played again from.
 *
 * I1. Lines have names, and each name is written once; a second line of a name is refused by the store.
 * I2. The messages of a run are its inputs and its ended legs, in the order they were written; what is said while calls wait comes after their results.
 * I3. A leg that did not end leaves answers and outcomes, by which it is played again without asking or doing anything twice.
 * I4. A journal does not grow beyond what a run may keep. A leg whose run has no room left begins nothing.
 * I5. The steps of a leg that a person stopped are messages, with what the model had said of the last one: none is played again. Where the model has
 *     not answered since calls were decided, the next leg begins with those calls.
 * I6. A run whose size was told before values counted has room for one leg, however large it is by now.
 */

import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import {
  bytesPerValue,
  type JournalLine,
  keptBytes,
  type Outcome,
  type RunGate,
  type RunningRun,
  readStoredJson,
  setupBytes,
} from "@byleave/core"
import type { ModelMessage } from "ai"
import { type ToldOutcome, toldOf } from "../loop/outcome-words.ts"
import { showBytes } from "../run-limits.ts"
import { lineBytes } from "./line-bytes.ts"
import { noteRequests } from "./open-requests.ts"
import { resultsOfOpen, stoppedSteps } from "./stopped-steps.ts"

/** A model's answer as its stream's parts, deltas joined. */
export type Answer = { readonly parts: readonly LanguageModelV4StreamPart[] }

/** An answer that was given before, and in which leg. */
export type GivenAnswer = Answer & { readonly leg: number }

export type Journal = {
  /** Everything said up to the leg under way. */
  readonly messages: readonly ModelMessage[]
  /** Said since then, while calls waited: comes after the results of those. */
  readonly inputs: readonly ModelMessage[]
  /** Of the leg under way. */
  readonly answers: readonly GivenAnswer[]
  readonly begun: ReadonlySet<string>
  readonly outcomes: ReadonlyMap<string, ToldOutcome>
  /** Every tool-call id that the run has used. */
  readonly toolCalls: ReadonlySet<string>
  readonly lastSeq: number
  /** The bytes that its lines count for. */
  readonly bytes: number
  /** Of these, without what a leg has written that has not ended. */
  readonly endedBytes: number
}

export const lineNames = {
  input: (leg: number) => `input ${leg}`,
  /** Messages of a run that began elsewhere. */
  carried: (part: number) => `input 0.${part}`,
  answer: (leg: number, step: number) => `answer ${leg}.${step}`,
  begun: (toolCall: string) => `begun ${toolCall}`,
  outcome: (toolCall: string) => `outcome ${toolCall}`,
  leg: (leg: number) => `leg ${leg}`,
  stopped: (leg: number) => `stopped ${leg}`,
  /** Told the model with the run's instructions. `seq`: of the line before, for a leg that is played again. */
  note: (leg: number, seq: number) => `note ${leg}.${seq}`,
} as const

/** Reads a run's journal, page by page. */
export async function readJournal(gate: Pick<RunGate, "journal">, run: string): Promise<Journal> {
  const messages: ModelMessage[] = []
  const inputs: ModelMessage[] = []
  let answers: GivenAnswer[] = []
  const begun = new Set<string>()
  const outcomes = new Map<string, ToldOutcome>()
  const toolCalls = new Set<string>()
  const open = new Map<string, string>()
  const say = (said: readonly ModelMessage[]): void => {
    for (const message of said) messages.push(message)
    noteRequests(open, said)
  }
  let lastSeq = 0
  let bytes = 0
  let endedBytes = 0
  for await (const line of allLines(gate, run)) {
    lastSeq = line.seq
    const more = lineBytes(line)
    bytes += more
    const [kind = ""] = line.name.split(" ", 1)
    if (kind === "leg" || kind === "stopped") endedBytes = bytes
    else if (kind === "input") endedBytes += more
    const rest = line.name.slice(kind.length + 1)
    switch (kind) {
      case "input": {
        const said = readMessages(line)
        for (const id of said.flatMap(toolCallsOf)) toolCalls.add(id)
        if (inputs.length > 0 || open.size > 0) inputs.push(...said)
        else say(said)
        break
      }
      case "leg": {
        const said = readMessages(line)
        // A leg that ended before it began: what is open stays open.
        if (said.length === 0) break
        const firstAfter = said.findIndex(({ role }) => role !== "tool")
        const results = firstAfter === -1 ? said.length : firstAfter
        say([...said.slice(0, results), ...inputs.splice(0), ...said.slice(results)])
        // Its results are among the messages now.
        answers = []
        begun.clear()
        outcomes.clear()
        break
      }
      case "answer": {
        const answer = parse<Answer>(line)
        answers.push({ ...answer, leg: Number.parseInt(rest, 10) })
        for (const part of answer.parts) if (part.type === "tool-call") toolCalls.add(part.toolCallId)
        break
      }
      case "stopped": {
        const { text } = parse<{ readonly text: string }>(line)
        if (open.size > 0 && answers.length === 0) break
        if (open.size > 0) say([resultsOfOpen(messages, open, outcomes), ...inputs.splice(0)])
        say(stoppedSteps({ answers, begun, outcomes, text }))
        answers = []
        begun.clear()
        outcomes.clear()
        break
      }
      case "begun":
        begun.add(rest)
        break
      case "outcome":
        outcomes.set(rest, toldOf(readStoredJson(line.text) as Outcome))
        break
      default:
        break
    }
  }
  return { messages, inputs, answers, begun, outcomes, toolCalls, lastSeq, bytes, endedBytes }
}

/** Bytes of lines, their values counted, that are read before others have their turn: some ten milliseconds of work, whatever is made of them. */
const mostAtOnce = 1024 * 1024

/** All lines of a run from a number on, a page of them in memory at a time. Others have their turn in between. */
export async function* allLines(gate: Pick<RunGate, "journal">, run: string, from = 0): AsyncIterable<JournalLine> {
  let after = from
  let sinceTurn = 0
  for (;;) {
    const page = await gate.journal(run, after)
    const last = page.at(-1)
    if (last === undefined) return
    for (const line of page) {
      const bytes = keptBytes(line.text)
      if (sinceTurn > 0 && sinceTurn + bytes > mostAtOnce) {
        await nextTurn()
        sinceTurn = 0
      }
      sinceTurn += bytes
      yield line
    }
    after = last.seq
  }
}

/** A store in this process answers without letting anything else happen. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Messages that were carried here have calls that no answer in this journal made. */
function toolCallsOf(message: ModelMessage): readonly string[] {
  if (message.role !== "assistant" || typeof message.content === "string") return []
  return message.content.flatMap((part) => (part.type === "tool-call" ? part.toolCallId : []))
}

function readMessages(line: JournalLine): readonly ModelMessage[] {
  return parse<{ readonly messages: readonly ModelMessage[] }>(line).messages
}

/** The store gives back what this package wrote; imports are validated before they become lines. */
function parse<T>(line: JournalLine): T {
  return JSON.parse(line.text)
}

/** Writes the lines of a leg, numbered one after the other. */
export type JournalWriter = {
  /** Makes a line without writing it, for a commit that writes it with something else. */
  readonly line: (name: string, value: object) => JournalLine
  /** Rejects with `LostRun` where this process has the run no more, and with `FullJournal` where there is no room. */
  readonly write: (name: string, value: object) => Promise<void>
  /** Of the run as a whole. */
  readonly bytes: () => number
  /** How many bytes more the run may keep. */
  readonly room: () => number
}

/** The run went on elsewhere, or was ended: the process that carries this leg out stops. */
export class LostRun extends Error {
  override readonly name = "LostRun"
}

/** The run has as many bytes as it may. */
export class FullJournal extends Error {
  override readonly name = "FullJournal"
}

/** The most bytes of a run, and the words used when they are not enough. */
export type JournalRoom = { readonly bytes: number; readonly words: string }

export function createJournalWriter(
  gate: Pick<RunGate, "journalLines">,
  run: Pick<RunningRun, "id" | "owner" | "setup" | "bytes">,
  from: Pick<Journal, "lastSeq" | "bytes" | "endedBytes">,
  now: () => number,
  most: JournalRoom,
): JournalWriter {
  let seq = from.lastSeq
  const ofSetup = setupBytes(run.setup)
  let bytes = from.bytes + ofSetup
  const isCountedAnew = run.bytes < from.endedBytes + ofSetup
  const mostBytes = isCountedAnew ? Math.max(most.bytes, bytes + bytesOfOneLeg) : most.bytes
  if (bytes >= mostBytes) throw new FullJournal(`${most.words} ${noRoomWords}`)
  const line = (name: string, value: object): JournalLine => {
    const text = JSON.stringify(value)
    const more = lineBytes({ name, text })
    if (bytes + more > mostBytes) throw new FullJournal(most.words)
    seq += 1
    bytes += more
    return { run: run.id, seq, name, at: now(), text }
  }
  return {
    line,
    write: async (name, value) => {
      if (!(await gate.journalLines(run, [line(name, value)])))
        throw new LostRun(`The run ${run.id} is no longer here.`)
    },
    bytes: () => bytes,
    room: () => mostBytes - bytes,
  }
}

/** The room of a leg whose run became larger than a run may be by counting alone. */
const bytesOfOneLeg = 16 * 1024 * 1024

const noRoomWords = "This run has no room left, so none of its calls was sent. Go on in a new run."

export function tooLargeWords(maxBytes: number): string {
  return `A run may have ${showBytes(maxBytes)} of messages, results and settings at the most; each value in them counts as ${bytesPerValue} bytes beside its text.`
}
