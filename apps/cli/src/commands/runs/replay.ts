import { resolve } from "node:path"
import { createGate, type Gate, type Policy } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openApprovals, type Recording, readRecording, recordedPolicy, replayRun } from "@byleave/runs"
import { openMemoryStore } from "@byleave/store"
import type { Command } from "commander"
import { countOf } from "../../config/problem-lines.ts"
import { readConfig } from "../../config/read-config.ts"
import { wrapped } from "../../decide/session-lines.ts"
import { wordLines } from "../../decide/wrap-line.ts"
import { reportFailure } from "../../failure.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { policyPortsOf } from "../../policy-ports.ts"
import { createPaint, jsonLines } from "../../terminal/paint.ts"
import { recordingLines } from "./recording-lines.ts"

type Flags = { readonly config?: string; readonly json?: true }

export function addReplay(program: Command, io: Io, done: Done): void {
  program
    .command("replay")
    .description("play a recording of an agent run, without a model or a server")
    .argument("<file>", "the recording (JSON lines)")
    .option("--config <file>", "decide by this configuration's policy instead of as it was decided then")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (file: string, flags: Flags) => done(await replay(file, flags, io)))
}

const examples = `
The run is played by this version of Byleave, with the recorded answers of the model, the tools and the reviewers. Whatever comes out otherwise is
listed, and sets the exit code to 1. Nothing is sent anywhere.

Examples:
  byleave replay run.jsonl
  byleave replay run.jsonl --config byleave.yaml`

async function replay(file: string, flags: Flags, io: Io): Promise<ExitCode> {
  const fail = (error: string): ExitCode => {
    reportFailure({ error }, flags.json === true, io)
    return 1
  }
  const bytes = await io.readFile(resolve(io.cwd, file)).catch(() => null)
  if (bytes === null) return fail(`${file} cannot be read.`)
  const read = readRecording(new TextDecoder().decode(bytes))
  if (!read.ok) return fail(`${file}, line ${read.line}: ${read.problem}`)
  const { recording } = read
  const policy = flags.config === undefined ? recordedPolicy(recording) : await policyIn(flags.config, io)
  if (typeof policy === "string") return fail(policy)
  const differences = await differencesOf(recording, policy, io)
  if (flags.json) {
    io.stdout.write(
      jsonLines({ ok: differences.length === 0, of: recording.of, legs: recording.legs.length, differences }),
    )
  } else {
    const paint = createPaint(io.stdout, io.env)
    io.stdout.write(`${recordingLines(recording, paint, io.stdout.columns?.())}\n`)
    const told = differences.flatMap((difference) => wordLines("  ", difference))
    const isSame = differences.length === 0
    io.stdout.write(
      wrapped([paint(isSame ? "green" : "red", verdictOf(recording, isSame)), ...told], io.stdout.columns?.()),
    )
  }
  return differences.length === 0 ? 0 : 1
}

/** An exchange has no run that could be played: it is only looked through. */
function verdictOf({ of }: Recording, isSame: boolean): string {
  if (of === "responses") return isSame ? "It is complete: every approval request is answered." : "It is not complete:"
  return isSame ? "Played again, it is the same." : "Played again, it differs:"
}

async function policyIn(config: string, io: Io): Promise<Policy | string> {
  const read = await readConfig(config, io)
  if ("unreadable" in read) return read.unreadable
  return read.ok
    ? read.config.policy
    : `${config} has ${countOf(read.problems.length, "problem")}: see byleave policy check.`
}

async function differencesOf(recording: Recording, policy: Policy, io: Io): Promise<readonly string[]> {
  const unfinished =
    recording.end === null ? ["The recording has no end: the run was still at work or waited for approval."] : []
  if (recording.of === "responses") {
    const open = openApprovals(recording.legs).map((id) => `The approval request ${id} has no answer.`)
    return [...unfinished, ...open]
  }
  // AI SDK would write to the console, which is this command's.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
  const { gate, close } = await openGate(policy, io)
  try {
    const reviewer = { id: "recording", groups: [] }
    const { differences } = await replayRun(recording, { gate, reviewer, newId, now: io.now })
    return [...differences, ...unfinished]
  } finally {
    await close()
  }
}

/** A gate in memory: a replay leaves nothing behind. */
async function openGate(policy: Policy, io: Io): Promise<{ readonly gate: Gate; readonly close: () => Promise<void> }> {
  const { now } = io
  const signer = ed25519Signer(newSigningKey())
  const store = openMemoryStore({ hasher: nodeHasher, signer, newId, now, elapsed: now })
  const gate = await createGate({
    policy,
    store,
    now,
    newId,
    hasher: nodeHasher,
    digestKey: newId(),
    ...policyPortsOf(io),
  })
  return {
    gate,
    close: async () => {
      await gate.close()
      await store.close()
    },
  }
}
