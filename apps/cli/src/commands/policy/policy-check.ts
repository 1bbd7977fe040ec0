import type { Policy } from "@byleave/core"
import { type Catalogue, checkTools, lintPolicy } from "@byleave/core/compare"
import type { Config, ConfigProblem } from "@byleave/formats"
import type { Command } from "commander"
import { configOf, configOption } from "../../config/config-option.ts"
import { type LiveTools, liveTools } from "../../config/live-tools.ts"
import { countOf, problemLines } from "../../config/problem-lines.ts"
import { readConfig } from "../../config/read-config.ts"
import { reportFailure } from "../../failure.ts"
import { dataOption } from "../../files/data-folder.ts"
import type { AsIs, ExitCode, Io } from "../../io.ts"
import { policyPortsOf } from "../../policy-ports.ts"
import { urlOption } from "../../reach/find-service.ts"
import { createPaint, jsonLines, safeLines } from "../../terminal/paint.ts"

type Flags = {
  readonly config?: string
  readonly data?: string
  readonly url?: string
  readonly strict?: true
  readonly json?: true
}
type Options = Flags & { readonly config: string }

export function addPolicyCheck(policy: Command, io: Io, done: (code: ExitCode) => void): void {
  policy
    .command("check")
    .description("check a configuration and suggest fixes")
    .addOption(configOption())
    .addOption(dataOption())
    .addOption(urlOption())
    .option("--strict", "exit with 1 for warnings, too")
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (flags: Flags) => done(await policyCheck({ ...flags, config: configOf(flags, io) }, io)))
}

const examples = `
Where a service runs, the rules are compared with the tools its servers list and with the calls of the last 30 days: rules that match no tool,
tools that no rule decides on, reads that may give away credentials, and rules that allow more than is used. The output says whether that was done.

Warnings, such as rules that never apply, do not change the exit code, unless you add --strict. Errors set it to 1.

Examples:
  byleave policy check
  byleave policy check --config team/byleave.yaml --json
  byleave policy check --strict`

/** A finding of either kind: about the text, or about rules that work together badly. */
type Finding = Omit<ConfigProblem, "code" | "path"> & { readonly code: string; readonly path?: string }

async function policyCheck(options: Options, io: Io): Promise<ExitCode> {
  const read = await readConfig(options.config, io)
  if ("unreadable" in read) {
    reportFailure({ error: read.unreadable }, options.json === true, io)
    return 1
  }
  const policy = read.ok ? read.config.policy : read.policy
  const asked = policy === undefined ? null : await liveTools(options, io)
  if (asked !== null && "problem" in asked && options.url !== undefined) {
    reportFailure({ error: asked.problem }, options.json === true, io)
    return 3
  }
  const live = asked === null || "problem" in asked ? null : asked
  const findings: readonly Finding[] = [
    ...(read.ok ? [] : read.problems),
    ...read.warnings,
    ...(policy === undefined ? [] : lintFindings(policy, live, options.config, io)),
  ]
  const sorted = findings.toSorted((a, b) => a.line - b.line || a.column - b.column)
  const config = read.ok ? read.config : undefined
  const rulesCompared = policy !== undefined
  const comparedWith = live?.url ?? null
  const checked: Checked = { file: options.config, findings: sorted, config, rulesCompared, comparedWith }
  io.stdout.write(options.json ? jsonReport(checked) : textReport(checked, io))
  if (asked !== null && "problem" in asked && options.json !== true) io.stderr.write(`${safeLines(asked.problem)}\n`)
  return read.ok && (options.strict !== true || findings.length === 0) ? 0 : 1
}

type Checked = {
  readonly file: string
  readonly findings: readonly Finding[]
  /** Undefined when the file is refused. */
  readonly config: Config | undefined
  /** Whether rules were looked at together; errors in them keep that from being done. */
  readonly rulesCompared: boolean
  /** The service whose tools the rules were compared with; null: none. */
  readonly comparedWith: string | null
}

function lintFindings(policy: Policy, live: LiveTools | null, file: string, io: Io): readonly Finding[] {
  const policyPorts = policyPortsOf(io)
  const { tools, use } = live ?? { tools: [], use: null }
  return [
    ...lintPolicy(policy, live === null ? undefined : catalogueOf(live)),
    ...checkTools({ policy, policyPorts, tools, use }),
  ]
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

function catalogueOf({ tools }: LiveTools): Catalogue {
  const byServer = Map.groupBy(tools, ({ tool }) => tool.server)
  return [...byServer].map(([server, listed]) => ({ server, tools: listed.map(({ tool }) => tool.tool) }))
}

/** The loader says the same and, knowing the words of the file, what may be meant. */
const reportedByLoader = "unknown-server"

function jsonReport({ findings, config, file, rulesCompared, comparedWith }: Checked): AsIs {
  const checked = { rulesCompared, comparedWith }
  return jsonLines({ ok: config !== undefined, file, ...summaryOf(config), ...checked, problems: findings })
}

function summaryOf(config: Config | undefined) {
  if (config === undefined) return {}
  const { format, servers, policy } = config
  return { format, servers: servers.length, rules: policy.rules.length, version: policy.version }
}

function textReport({ findings, config, file, rulesCompared, comparedWith }: Checked, io: Io): string {
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
  const compared =
    comparedWith === null ? "" : `Compared with the tools and calls of the service at ${safeLines(comparedWith)}.\n`
  return `${problemLines(findings, paint)}${summary}\n${compared}`
}
