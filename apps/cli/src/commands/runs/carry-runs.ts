import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs"
import { resolve } from "node:path"
import { lineReader } from "@byleave/api"
import { showText } from "@byleave/core"
import { type Command, Option } from "commander"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { type FollowFlags, followRun } from "../../runs/follow-run.ts"
import { theRun } from "../../runs/the-run.ts"
import { asIs, jsonFor, jsonLines } from "../../terminal/paint.ts"

type ExportFlags = ReviewerFlags & { readonly format: "zstd" | "gzip" }

export function addExport(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("export <id> <file>"))
    .description("take an agent run away in one sealed file; it ends here")
    .addOption(new Option("--format <format>", "how it is packed").choices(["zstd", "gzip"]).default("zstd"))
    .addHelpText("after", exportExamples)
    .action(async (written: string, file: string, flags: ExportFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const { id, title } = await theRun(client, written)
          // Before the run ends here: once it has, this text is all there is of it.
          const output = openOutput(io, file)
          try {
            const exported = answerOf(await client.exportRun({ params: { id }, body: { format: flags.format } }))
            output.write(exported.state)
            if (flags.json) io.stdout.write(jsonLines({ run: id, id: exported.id, file }))
            else
              io.stderr.write(
                `Exported: ${showText(title)}\nImport it with byleave runs import ${showText(file)}, in one place only: imported in two, the run goes on in both.\n`,
              )
            output.keep()
          } finally {
            output.close()
          }
          return 0
        }),
      )
    })
}

const exportExamples = `
The file goes on once, in a Byleave that has the same key: one with the same data folder or database, or one that was started with the same
BYLEAVE_STATE_KEY. Calls that had not run are judged and asked about there anew.

Examples:
  byleave runs export 4f9a2c notes.run
  byleave runs import notes.run`

export function addImport(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("import <file>"))
    .description("let an agent run go on here that was exported elsewhere; needs your PIN")
    .option("--no-wait", "come back when the run pauses, instead of waiting for the answers")
    .action(async (file: string, flags: FollowFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const bytes = await (file === "-" ? io.readStdin() : io.readFile(resolve(io.cwd, file))).catch(() => null)
          if (bytes === null) throw new RefusedByService(2, `${showText(file)} cannot be read.`)
          const state = new TextDecoder().decode(bytes).trim()
          const client = await desk.present()
          const { run_id: id } = answerOf(await client.importRun({ query: { wait: 0 }, body: { state } }))
          return followRun(io, desk, id, flags)
        }),
      )
    })
}

export function addRecord(runs: Command, io: Io, done: Done): void {
  withReviewerOptions(runs.command("record <id> [file]"))
    .description("write an agent run that is over as a recording for byleave replay; prints it where no file is given")
    .action(async (written: string, file: string | undefined, flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const { id, title } = await theRun(client, written)
          const bytes = answerOf(await client.stream("recordRun", { params: { id } }))
          const isPrinted = file === undefined || file === "-"
          const output = openOutput(io, file ?? "-")
          const write = (line: string): void => output.write(`${isPrinted ? jsonFor(io.stdout, line) : line}\n`)
          try {
            const cutLines = lineReader(write)
            const reader = bytes.pipeThrough(new TextDecoderStream()).getReader()
            for (let step = await reader.read(); !step.done; step = await reader.read()) cutLines(step.value)
            output.keep()
          } finally {
            output.close()
          }
          if (file === undefined) return 0
          if (flags.json) io.stdout.write(jsonLines({ run: id, file }))
          else io.stdout.write(`Recorded: ${showText(title)}\nPlay it with byleave replay ${showText(file)}.\n`)
          return 0
        }),
      )
    })
}

type OutputFile = {
  readonly write: (text: string) => void
  /** Keeps the written file; otherwise closing removes it. */
  readonly keep: () => void
  readonly close: () => void
}

/** A new file that only its owner may read; `-` is standard output. */
function openOutput(io: Io, written: string): OutputFile {
  if (written === "-") return { write: (text) => io.stdout.write(asIs(text)), keep: () => {}, close: () => {} }
  const path = resolve(io.cwd, written)
  let isKept = false
  const file = newFile(path, written)
  return {
    write: (text) => {
      for (let rest = Buffer.from(text); rest.length > 0; rest = rest.subarray(writeSync(file, rest)));
    },
    keep: () => {
      fsyncSync(file)
      isKept = true
    },
    close: () => {
      closeSync(file)
      if (!isKept) rmSync(path, { force: true })
    },
  }
}

function newFile(path: string, written: string): number {
  try {
    return openSync(path, "wx", 0o600)
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const isThere = "code" in cause && cause.code === "EEXIST"
    const why = isThere ? "exists already. Name another file." : "cannot be created."
    throw new RefusedByService(2, `${showText(written)} ${why}`)
  }
}
