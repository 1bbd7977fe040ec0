import type { Policy } from "@byleave/core"
import { lintPolicy } from "@byleave/core/compare"
import type { Config, ConfigProblem } from "@byleave/formats"
import type { Command } from "commander"
import { configOf, configOption } from "../config/config-option.ts"
import { countOf, problemLines } from "../config/problem-lines.ts"
import { readConfig } from "../config/read-config.ts"
import { reportFailure } from "../failure.ts"
import { dataOption } from "../files/data-folder.ts"
import type { ExitCode, Io } from "../io.ts"
import { createPaint, jsonLines, safeLines } from "../terminal/paint.ts"

type Flags = { readonly config?: string; readonly data?: string; readonly json?: true }
type Options = Flags & { readonly config: string }

export function addPolicyCheck(policy: Command, io: Io, done: (code: ExitCode) => void): void {
  policy
    .command("check")
    .description("check a configuration and suggest fixes")
    .addOption(configOption())
    .addOption(dataOption())
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (flags: Flags) => done(await policyCheck({ ...flags, config: configOf(flags, io) }, io)))
}

const examples = `
Warnings, such as rules that never apply, are listed too; only errors set the exit code to 1.

Examples:
  byleave policy check
  byleave policy check --config team/byleave.yaml --json`

/** A finding of either kind: about the text, or about rules that work together badly. */
type Finding = Omit<ConfigProblem, "code" | "path"> & { readonly code: string; readonly path?: string }

async function policyCheck(options: Options, io: Io): Promise<ExitCode> {
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) {
    reportFailure({ error: read.unreadable }, options.json === true, io)
    return 1
  }
  const policy = read.ok ? read.config.policy : read.policy
  const findings: readonly Finding[] = [
    ...(read.ok ? [] : read.problems),
    ...read.warnings,
    ...(policy === undefined ? [] : lintFindings(policy, options.config)),
  ]
  const sorted = findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const config = read.ok ? read.config : undefined
  const checked: Checked = { file: options.config, findings: sorted, config, rulesCompared: policy !== undefined }
  io.stdout.write(options.json ? jsonReport(checked) : textReport(checked, io))
  return read.ok ? 0 : 1
}

type Checked = {
  readonly file: string
  readonly findings: readonly Finding[]
  /** Undefined when the file is refused. */
  readonly config: Config | undefined
  /** Whether rules were looked at together; errors in them keep that from being done. */
  readonly rulesCompared: boolean
}

function lintFindings(policy: Policy, file: string): readonly Finding[] {
  return lintPolicy(policy)
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

function jsonReport({ findings, config, file, rulesCompared }: Checked): string {
  return jsonLines({ ok: config !== undefined, file, ...summaryOf(config), rulesCompared, problems: findings })
}

function summaryOf(config: Config | undefined) {
  if (config === undefined) return {}
  const { format, servers, policy } = config
  return { format, servers: servers.length, rules: policy.rules.length, version: policy.version }
}

function textReport({ findings, config, file, rulesCompared }: Checked, io: Io): string {
  const paint = createPaint(io.stdout, io.env)
  const errors = findings.filter((finding) => finding.severity === "error").length
  const warnings = countOf(findings.length - errors, "warning")
  const name = safeLines(file)
  const next = `Fix the errors and check again${rulesCompared ? "" : "; rules are compared with each other only after that"}.`
  const summary =
    config === undefined
      ? paint("red", `${name} is invalid: ${countOf(errors, "error")}, ${warnings}. ${next}`)
      : paint(
          "green",
          `${name} is valid: ${countOf(config.servers.length, "server")}, ${countOf(config.policy.rules.length, "rule")}, ${warnings}.`,
        )
  return `${problemLines(findings, paint)}${summary}\n`
}
