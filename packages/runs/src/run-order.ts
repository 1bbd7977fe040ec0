/** How a run is begun and goes on: its setup, its first words, the line of its input, and what it may take. */
import type { AgentRun, JournalLine, RunGate, RunSetup, RunStarter } from "@byleave/core"
import type { ModelMessage } from "ai"
import { lineNames, tooLargeWords } from "./journal/journal.ts"
import type { RunLimits } from "./run-limits.ts"
import type { RunInput, RunsRefusal } from "./runs.ts"

export function setupWith(setup: RunSetup, changes: RunInput["setup"] = {}): RunSetup {
  const { instructions: was, ...rest } = setup
  const { instructions = "instructions" in changes ? undefined : was, ...others } = changes
  return { ...rest, ...others, ...(instructions === undefined ? {} : { instructions }) }
}

export async function inputLines(
  gate: RunGate,
  run: AgentRun,
  messages: readonly ModelMessage[],
  now: () => number,
): Promise<readonly JournalLine[]> {
  const text = JSON.stringify({ messages })
  const seq = (await lastSeq(gate, run.id)) + 1
  return [{ run: run.id, seq, name: lineNames.input(run.legs + 1), at: now(), text }]
}

/** The line of a leg that a person stopped, with what the model had said of the step under way. */
export async function stopLines(
  gate: RunGate,
  run: Pick<AgentRun, "id" | "legs">,
  said: string,
  now: () => number,
): Promise<readonly JournalLine[]> {
  const seq = (await lastSeq(gate, run.id)) + 1
  const text = JSON.stringify({ text: said })
  return [{ run: run.id, seq, name: lineNames.stopped(run.legs), at: now(), text }]
}

async function lastSeq(gate: RunGate, run: string): Promise<number> {
  let after = 0
  for (;;) {
    const last = (await gate.journal(run, after)).at(-1)
    if (last === undefined) return after
    after = last.seq
  }
}

export async function tooMany(gate: RunGate, limits: RunLimits, by: RunStarter): Promise<RunsRefusal | null> {
  const statuses = ["running", "paused"] as const
  const own = await gate.countRuns({ statuses, startedBy: by })
  if (own >= limits.openPerStarter) {
    return {
      code: "too-many-runs",
      detail: `${own} runs of yours are not over; the limit is ${limits.openPerStarter}.`,
    }
  }
  const all = await gate.countRuns({ statuses })
  if (all < limits.openInAll) return null
  return { code: "too-many-runs", detail: `${all} runs are not over; the limit is ${limits.openInAll}.` }
}

export function tooLarge(limits: RunLimits): RunsRefusal {
  return { code: "run-too-large", detail: tooLargeWords(limits.bytes) }
}

/** The first words of the task. */
export function titleOf(messages: readonly ModelMessage[]): string {
  const [first] = messages.filter(({ role }) => role === "user")
  const content = first?.content ?? ""
  const text =
    typeof content === "string" ? content : content.flatMap((part) => (part.type === "text" ? part.text : [])).join(" ")
  const line = text.trim().replaceAll(/\s+/g, " ")
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
