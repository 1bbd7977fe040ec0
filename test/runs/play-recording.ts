import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Policy } from "@byleave/core"
import { type Recording, type ReplayReport, readRecording, recordedPolicy, replayRun } from "@byleave/runs"
import { ana, newId, openEngine } from "../engine/open-engine.ts"

export const recordingsFolder = fileURLToPath(new URL("../../recordings/", import.meta.url))

/** A recording of `recordings/`, or the text of one. */
export function recordingOf(text: string): Recording {
  const read = readRecording(text.includes("\n") ? text : readFileSync(`${recordingsFolder}${text}`, "utf8"))
  if (!read.ok) throw new Error(`Line ${read.line}: ${read.problem}`)
  return read.recording
}

/** Plays a recorded run with a gate of its own, by the policy that was recorded or another one. */
export async function playRecording(recording: Recording, policy?: Policy): Promise<ReplayReport> {
  const { gate, clock } = await openEngine(policy ?? recordedPolicy(recording))
  return replayRun(recording, { gate, reviewer: ana, newId, now: () => clock.now })
}
