import { lintPolicy } from "@byleave/core"
import type { Config, Problem } from "@byleave/formats"
import type { Command } from "commander"
import { configOption } from "../config-option.ts"
import { reportFailure } from "../failure.ts"
import type { ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines, safeLines } from "../paint.ts"
import { countOf, problemLines } from "../problem-lines.ts"
import { readConfig } from "../read-config.ts"

type Options = { readonly config: string; readonly json?: true }

export function addPolicyCheck(policy: Command, io: Io, done: (code: ExitCode) => void): void {
  policy
    .command("check")
    .description("list every problem of a configuration, with what to write instead")
    .addOption(configOption())
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (options: Options) => done(await policyCheck(options, io)))
}

const examples = `
Warnings, such as rules that can never decide anything, are listed too; only errors make the exit code 1.

Examples:
  byleave policy check
  byleave policy check --config team/byleave.yaml --json`

/** A finding of either kind: about the text, or about rules that work together badly. */
type Finding = Omit<Problem, "code" | "path"> & { readonly code: string; readonly path?: string }

async function policyCheck(options: Options, io: Io): Promise<ExitCode> {
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) {
    reportFailure({ error: read.unreadable }, options.json === true, io)
    return 1
  }
  const findings: readonly Finding[] = read.ok
    ? [...read.warnings, ...lintFindings(read.config, options.config)]
    : [...read.problems, ...read.warnings]
  const sorted = findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const config = read.ok ? read.config : undefined
  io.stdout.write(
    options.json ? jsonReport(sorted, config, options.config) : textReport(sorted, config, options.config, io),
  )
  return read.ok ? 0 : 1
}

function lintFindings(config: Config, file: string): readonly Finding[] {
  return lintPolicy(config.policy)
    .filter(({ code }) => code !== reportedByLoader)
    .map(({ code, sentence, origin }) => ({
      severity: "warning",
      code,
      message: sentence,
      where: origin?.where ?? file,
      line: origin?.line ?? 1,
      column: origin?.column ?? 1,
    }))
}

/** The loader says the same and, knowing the words of the file, what may be meant. */
const reportedByLoader = "unknown-server"

function jsonReport(findings: readonly Finding[], config: Config | undefined, file: string): string {
  return jsonLines({ ok: config !== undefined, file, ...summaryOf(config), problems: findings })
}

function summaryOf(config: Config | undefined) {
  if (config === undefined) return {}
  const { format, servers, policy } = config
  return { format, servers: servers.length, rules: policy.rules.length, version: policy.version }
}

function textReport(findings: readonly Finding[], config: Config | undefined, file: string, io: Io): string {
  const paint = createPaint(io.stdout, io.env)
  const errors = findings.filter((finding) => finding.severity === "error").length
  const warnings = countOf(findings.length - errors, "warning")
  const name = safeLines(file)
  const summary =
    config === undefined
      ? paint(
          "red",
          `${name} is refused: ${countOf(errors, "error")}, ${warnings}. Correct the errors and check again.`,
        )
      : paint(
          "green",
          `${name} can be used: ${countOf(config.servers.length, "server")}, ${countOf(config.policy.rules.length, "rule")}, ${warnings}.`,
        )
  return `${problemLines(findings, paint)}${summary}\n`
}
