import type { Command } from "commander"
import { dataFolder, dataOption } from "../../files/data-folder.ts"
import type { ExitCode, Io } from "../../io.ts"
import { urlOption } from "../../reach/find-service.ts"
import { createPaint, jsonLines, sentenceLines } from "../../terminal/paint.ts"

type Options = { readonly data?: string; readonly url?: string; readonly config?: string; readonly json?: true }

/** One thing looked at. `fail` makes the exit code 1. */
export type Finding = {
  readonly about:
    | "data"
    | "service"
    | "configuration"
    | "reviewers"
    | "presence"
    | "servers"
    | "models"
    | "store"
    | "audit"
  readonly state: "ok" | "warn" | "fail"
  /** The finding, and what to do about it. */
  readonly sentence: string
  /** Lines for the configuration. */
  readonly yaml?: string
}

export function addDoctor(program: Command, io: Io, done: (code: ExitCode) => void): void {
  program
    .command("doctor")
    .description("check the service, reviewers, servers and configuration, and look for model servers here")
    .addOption(dataOption())
    .addOption(urlOption())
    .option("--config <file>", "configuration file (default: ./byleave.yaml, then the data folder's)")
    .option("--json", "print one JSON object")
    .addHelpText("after", help)
    .action(async (options: Options) => done(await doctor(options, io)))
}

const help = `
The exit code is 3 when no service is running, 1 when a check fails, and 0 otherwise; warnings do not affect it.

Examples:
  byleave doctor
  byleave doctor --json`

async function doctor(options: Options, io: Io): Promise<ExitCode> {
  const { examine } = await import("../../config/examine.ts")
  const data = dataFolder(options.data, io)
  const { findings, isRunning } = await examine({ data, url: options.url, config: options.config }, io)
  const isWell = findings.every(({ state }) => state !== "fail")
  if (options.json === true) io.stdout.write(jsonLines({ ok: isWell && isRunning, running: isRunning, data, findings }))
  else io.stdout.write(textOf(findings, io))
  if (!isRunning) return 3
  return isWell ? 0 : 1
}

const labels = { ok: "OK", warn: "WARN", fail: "FAIL" } as const
const styles = { ok: "green", warn: "yellow", fail: "red" } as const

function textOf(findings: readonly Finding[], io: Io): string {
  const paint = createPaint(io.stdout, io.env)
  return findings
    .map(
      ({ about, state, sentence, yaml }) =>
        `${paint(styles[state], labels[state].padEnd(5))}${about.padEnd(14)} ${sentenceLines(sentence)}\n${yaml === undefined ? "" : `\n${yaml}\n`}`,
    )
    .join("")
}
