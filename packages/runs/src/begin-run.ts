/** How runs come to be: ordered here, or carried here from another process. */
import { type RunSetup, StoreError, setupBytes } from "@byleave/core"
import { lineNames } from "./journal/journal.ts"
import { bytesOf } from "./journal/line-bytes.ts"
import type { Legs } from "./legs.ts"
import { answersTo, isAnswer } from "./requirement-answers.ts"
import { longInstructions, messagesText, refused, titleOf, tooLarge, tooMany } from "./run-order.ts"
import type { Runs } from "./runs.ts"
import type { RunsSettings } from "./runs-settings.ts"

export function startRuns(settings: RunsSettings, legs: Legs): Runs["start"] {
  const { gate, limits } = settings
  return async (order, by) => {
    mustBeOpen(legs)
    const model = order.model ?? settings.defaultModel()
    if (model === undefined) return refused({ code: "no-model", detail: noModel })
    const tooLong = longInstructions(order)
    if (tooLong !== null) return refused(tooLong)
    const setup: RunSetup = {
      model,
      servers: order.servers,
      maxSteps: Math.min(order.maxSteps ?? limits.steps, limits.steps),
      ...(order.instructions === undefined ? {} : { instructions: order.instructions }),
      ...(order.trace === undefined ? {} : { trace: order.trace }),
      ...(order.metadata === undefined ? {} : { metadata: order.metadata }),
      ...(order.face === undefined ? {} : { face: order.face }),
    }
    const ofSetup = setupBytes(setup)
    const written = messagesText(order.messages, limits.bytes - ofSetup)
    if (written === null) return refused(tooLarge(limits))
    const bytes = written.bytes + ofSetup
    const full = await tooMany(gate, limits, by, bytes)
    if (full !== null) return refused(full)
    const id = settings.newId()
    const line = { run: id, seq: 1, name: lineNames.input(1), at: settings.now(), text: written.text }
    const title = order.title ?? titleOf(order.messages, settings.redactText)
    const principal = order.principal ?? "run"
    const run = await gate.startRun({ id, principal, startedBy: by, title, setup, bytes }, [line], by.id)
    legs.begin(run, [])
    return { ok: true, run }
  }
}

export function bringRuns({ gate, limits, newId, now }: RunsSettings, legs: Legs): Runs["bring"] {
  return async ({ lines, ...carried }, by) => {
    mustBeOpen(legs)
    const setup = { ...carried.setup, maxSteps: Math.min(carried.setup.maxSteps, limits.steps) }
    const bytes = bytesOf(lines) + setupBytes(setup)
    if (bytes > limits.bytes) return refused(tooLarge(limits))
    const full = await tooMany(gate, limits, by, bytes)
    if (full !== null) return refused(full)
    const id = newId()
    const at = now()
    const brought = await gate.importRun(
      { ...carried, id, setup, startedBy: by, bytes },
      lines.map((line, before) => ({ run: id, seq: before + 1, at, ...line })),
      by.id,
    )
    if (!brought.ok) return brought
    const answers = await answersTo(gate, brought.run.answered)
    legs.begin(brought.run, answers.filter(isAnswer))
    return brought
  }
}

function mustBeOpen(legs: Legs): void {
  if (legs.isClosing()) throw new StoreError("closed", "Byleave is shutting down.")
}

const noModel =
  "No model is configured. Add one under `models:` in byleave.yaml; `byleave doctor` shows model servers found on this machine."
