import type { RunPrincipal, RunStarter, StateRefusal } from "@byleave/core"
import { lineNames } from "../journal/journal.ts"
import { defaultRunLimits } from "../run-limits.ts"
import type { BroughtRun, Runs, RunsAnswer } from "../runs.ts"
import { type CarriedState, readState } from "./carried-state.ts"
import { openState, type StateHead } from "./seal-state.ts"
import { stateRefusal } from "./state-refusal.ts"

export type ImportPorts = {
  readonly runs: Pick<Runs, "bring">
  /** The one it was sealed with: 32 bytes. */
  readonly key: Uint8Array
  readonly now: () => number
  /** How many bytes a state may unpack to. */
  readonly maxBytes?: number
}

export type ImportOptions = {
  /** The importer: the run is theirs from now on. Whether they may import it is for the caller to check. */
  readonly by: RunStarter
  /** Whose states are taken; absent: those of any principal and any starter. */
  readonly only?: { readonly principal?: RunPrincipal; readonly startedBy?: RunStarter }
}

export type RunBrought =
  | Extract<RunsAnswer, { readonly ok: true }>
  | { readonly ok: false; readonly refusal: StateRefusal | Extract<RunsAnswer, { readonly ok: false }>["refusal"] }

/** Brings a run here and lets it go on: calls that were not run where it comes from are judged and asked about anew. */
export async function importRun(ports: ImportPorts, text: string, options: ImportOptions): Promise<RunBrought> {
  const unpacked = ports.maxBytes ?? defaultRunLimits.bytes
  // Base64 of what does not pack at all.
  const opened = openState(text, ports.key, { text: Math.ceil(unpacked * 1.4) + 4096, unpacked })
  if (!opened.ok) return opened
  const { head } = opened
  if (head.isSession === true) return { ok: false, refusal: stateRefusal("state-not-exported") }
  const read = await readState(opened.text, ports.now)
  if (!read.ok) return { ok: false, refusal: stateRefusal("state-malformed", read.problem) }
  if (isForeign(head, read.state, options)) return { ok: false, refusal: stateRefusal("state-foreign") }
  const brought = await ports.runs.bring(broughtRun(head, read.state), options.by)
  const isUsed = !brought.ok && brought.refusal.code === "state-used"
  return isUsed ? { ok: false, refusal: stateRefusal("state-used") } : brought
}

function isForeign(head: StateHead, { startedBy }: CarriedState, { only = {} }: ImportOptions): boolean {
  if (only.principal !== undefined && only.principal !== head.principal) return true
  return only.startedBy !== undefined && (only.startedBy.id !== startedBy.id || only.startedBy.kind !== startedBy.kind)
}

function broughtRun({ state, principal }: StateHead, carried: CarriedState): BroughtRun {
  const { title, setup, legs, steps, usage, open } = carried
  const lines = [...messageLines(carried.messages), ...carried.lines]
  const answered = open.map((call) => ({ ...call, approval: null }))
  return { state, principal, title, setup, legs, steps, usage, answered, lines }
}

/** Of about a megabyte each, as stores and pages like it. */
const lineLength = 1024 * 1024

function messageLines(messages: CarriedState["messages"]): BroughtRun["lines"] {
  const lines: Array<BroughtRun["lines"][number]> = []
  let held: string[] = []
  let length = 0
  const end = (): void => {
    if (held.length === 0) return
    lines.push({ name: lineNames.carried(lines.length + 1), text: `{"messages":[${held.join(",")}]}` })
    held = []
    length = 0
  }
  for (const message of messages) {
    const text = JSON.stringify(message)
    if (length + text.length > lineLength) end()
    held.push(text)
    length += text.length
  }
  end()
  return lines
}
