import { type AgentRun, isObject, type JsonObject, openCallsOf, type RunGate, type RunRefusal } from "@byleave/core"
import { allLines } from "../journal/journal.ts"
import type { CarriedState } from "./carried-state.ts"
import { type StateFormat, sealState } from "./seal-state.ts"

export type ExportOptions = {
  readonly by: string
  /** zstd where nothing is said. */
  readonly format?: StateFormat
}

export type RunExported =
  | { readonly ok: true; readonly text: string; readonly state: string }
  | { readonly ok: false; readonly refusal: RunRefusal }

export type ExportPorts = {
  readonly gate: Pick<RunGate, "run" | "journal" | "cancelRun">
  /** 32 bytes. */
  readonly key: Uint8Array
  readonly newId: () => string
}

/** How often a run may move on while it is read before the export is refused. */
const attempts = 5

/** Exports a run that no process carries out: returns its state, sealed, and ends it here. A second export is refused. */
export async function exportRun(ports: ExportPorts, id: string, options: ExportOptions): Promise<RunExported> {
  const { gate, key } = ports
  for (let attempt = 1; ; attempt++) {
    const run = await gate.run(id)
    if (run === undefined) return { ok: false, refusal: { code: "run-not-found" } }
    if (run.status === "running") return { ok: false, refusal: { code: "run-under-way", owner: run.owner } }
    if (run.status === "cancelled") return { ok: false, refusal: { code: "run-ended", status: run.status } }
    const state = ports.newId()
    const { principal, version } = run
    const text = sealState(
      { state, principal, run: id, version },
      JSON.stringify(await stateOf(gate, run)),
      key,
      options.format ?? "zstd",
    )
    const end = { by: options.by, detail: "it was exported.", exportedAs: state, ofVersion: version }
    const ended = await gate.cancelRun(id, end)
    if (ended.ok) return { ok: true, text, state }
    if (ended.refusal.code !== "run-changed" || attempt === attempts) return ended
  }
}

/** Everything that travels of a run. */
export async function stateOf(gate: Pick<RunGate, "journal">, run: AgentRun): Promise<CarriedState> {
  const open = openCallsOf(run).map(({ toolCall, tool }) => ({ toolCall, tool }))
  const messages: JsonObject[] = []
  let lines: CarriedState["lines"][number][] = []
  const isOpen = new Set(open.flatMap(({ toolCall }) => [`begun ${toolCall}`, `outcome ${toolCall}`]))
  for await (const { name, text } of allLines(gate, run.id)) {
    const [kind] = name.split(" ", 1)
    // The work of a leg is in its messages once it has ended, except for the calls that are still open.
    if (kind === "leg") lines = lines.filter((line) => isOpen.has(line.name))
    if (kind === "input" || kind === "leg") messages.push(...messagesOf(text))
    else if (kind === "answer" || kind === "begun" || kind === "outcome") lines.push({ name, text })
  }
  const { startedBy, title, setup, legs, steps, usage } = run
  return { startedBy, title, setup, legs, steps, usage, messages, open, lines }
}

function messagesOf(text: string): readonly JsonObject[] {
  const { messages }: { readonly messages: readonly JsonObject[] } = JSON.parse(text)
  return messages.filter(isObject)
}
