/** How a run is begun and goes on: its setup, its first words, the line of its input, and what it may take. */
import {
  type AgentRun,
  type JournalLine,
  keptBytes,
  type OpenRunTotals,
  type RunGate,
  type RunSetup,
  type RunStarter,
} from "@byleave/core"
import type { ModelMessage } from "ai"
import { type JournalRoom, lineNames, tooLargeWords } from "./journal/journal.ts"
import { type RunLimits, showBytes } from "./run-limits.ts"
import type { RunInput, RunsRefusal } from "./runs.ts"

export function setupWith(setup: RunSetup, changes: RunInput["setup"] = {}): RunSetup {
  const { instructions: was, ...rest } = setup
  const { instructions = "instructions" in changes ? undefined : was, ...others } = changes
  return { ...rest, ...others, ...(instructions === undefined ? {} : { instructions }) }
}

/** The line of the messages that a run goes on with; null: they have more bytes than there is room for. */
export async function inputLines(
  gate: RunGate,
  run: AgentRun,
  { messages, room }: { readonly messages: readonly ModelMessage[]; readonly room: number },
  now: () => number,
): Promise<readonly JournalLine[] | null> {
  const written = messagesText(messages, room)
  if (written === null) return null
  const last = await gate.lastLine(run.id)
  return [{ run: run.id, seq: last + 1, name: lineNames.input(run.legs + 1), at: now(), text: written.text }]
}

/** Messages as the journal has them. Null as soon as they are known to have more bytes than there is room for: nothing is joined that is too large. */
export function messagesText(
  messages: readonly ModelMessage[],
  room: number,
): { readonly text: string; readonly bytes: number } | null {
  const texts: string[] = []
  let bytes = keptBytes('{"messages":[]}')
  for (const message of messages) {
    const text = JSON.stringify(message)
    bytes += keptBytes(text) + (texts.length === 0 ? 0 : 1)
    if (bytes > room) return null
    texts.push(text)
  }
  return bytes > room ? null : { text: `{"messages":[${texts.join(",")}]}`, bytes }
}

/** The line of a leg that a person stopped, with what the model had said of the step under way where there is room for it. */
export async function stopLines(
  gate: RunGate,
  run: Pick<AgentRun, "id" | "legs">,
  { said, room }: { readonly said: string; readonly room: number },
  now: () => number,
): Promise<readonly JournalLine[]> {
  const last = await gate.lastLine(run.id)
  const whole = JSON.stringify({ text: said })
  const text = keptBytes(whole) <= room ? whole : JSON.stringify({ text: "" })
  return [{ run: run.id, seq: last + 1, name: lineNames.stopped(run.legs), at: now(), text }]
}

/** Why the starter may not begin one more run, with so many bytes. */
export async function tooMany(
  gate: RunGate,
  limits: RunLimits,
  by: RunStarter,
  bytes: number,
): Promise<RunsRefusal | null> {
  const own = await gate.openRuns(by)
  if (own.runs >= limits.openPerStarter) {
    const detail = `${own.runs} runs of yours are not over; the limit is ${limits.openPerStarter}.`
    return { code: "too-many-runs", detail }
  }
  if (own.bytes + bytes > limits.openBytesPerStarter) return tooMuchOpen(limits, own)
  const all = await gate.countRuns({ statuses: ["running", "paused"] })
  if (all < limits.openInAll) return null
  return { code: "too-many-runs", detail: `${all} runs are not over; the limit is ${limits.openInAll}.` }
}

export function tooMuchOpen({ openBytesPerStarter }: RunLimits, { bytes }: Pick<OpenRunTotals, "bytes">) {
  const detail = `Runs of yours that are not over have ${showBytes(bytes)} of messages, results and settings; the limit is ${showBytes(openBytesPerStarter)}.`
  return { code: "too-many-runs", detail } as const
}

/** The bytes that the leg of a run may write: within the limits of the run, and of its starter's open runs. */
export async function roomFor(gate: RunGate, limits: RunLimits, run: AgentRun): Promise<JournalRoom> {
  const open = await gate.openRuns(run.startedBy)
  const bytes = run.bytes + Math.max(0, limits.openBytesPerStarter - open.bytes)
  if (bytes < limits.bytes) return { bytes, words: tooMuchOpen(limits, open).detail }
  return { bytes: limits.bytes, words: tooLargeWords(limits.bytes) }
}

export function tooLarge(limits: RunLimits): RunsRefusal {
  return { code: "run-too-large", detail: tooLargeWords(limits.bytes) }
}

/** They are kept with the run itself, which is read with every request about it. */
const mostInstructions = 1024 * 1024

export function longInstructions({ instructions = "" }: Pick<RunSetup, "instructions">): RunsRefusal | null {
  if (instructions.length <= mostInstructions) return null
  const detail = `Instructions, with the system messages of the input, may have ${showBytes(mostInstructions)} at the most.`
  return { code: "run-too-large", detail }
}

/** Longer texts are not read to their end for a title. */
const readForTitle = 2_000

/** The first words of the task. Redacted before it is cut: of a part of a secret, no redactor knows. */
export function titleOf(messages: readonly ModelMessage[], redactText: (text: string) => string): string {
  const first = messages.find(({ role }) => role === "user")
  const content = first?.content ?? ""
  const text =
    typeof content === "string" ? content : content.flatMap((part) => (part.type === "text" ? part.text : [])).join(" ")
  const line = redactText(text).trimStart().slice(0, readForTitle).trimEnd().replaceAll(/\s+/g, " ")
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}

export function refused(refusal: RunsRefusal): { readonly ok: false; readonly refusal: RunsRefusal } {
  return { ok: false, refusal }
}
