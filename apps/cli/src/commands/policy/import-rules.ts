import { resolve } from "node:path"
import { comparePolicies, type PolicyChange } from "@byleave/core"
import type { ConfigProblem } from "@byleave/formats"
import {
  importInto,
  type Preference,
  type RuleConflict,
  type RuleLanguage,
  type RuleLoss,
  ruleLanguages,
} from "@byleave/formats/languages"
import { Argument, type Command, Option } from "commander"
import { configOf, configOption } from "../../config/config-option.ts"
import { knownTools } from "../../config/known-tools.ts"
import { countOf } from "../../config/problem-lines.ts"
import { loadPolicy } from "../../config/read-config.ts"
import { conflictLines, lossLines } from "../../config/rule-lines.ts"
import { reportFailure } from "../../failure.ts"
import { dataOption } from "../../files/data-folder.ts"
import { readText } from "../../files/read-text.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { replaceFile } from "../../service/config/replace-file.ts"
import { createPaint, jsonLines, safeLines, sentenceLines } from "../../terminal/paint.ts"

type Flags = {
  readonly config?: string
  readonly data?: string
  readonly tools?: string
  readonly folder?: string
  readonly prefer: Preference
  readonly dryRun?: true
  readonly json?: true
}

export function addImport(program: Command, io: Io, done: Done): void {
  program
    .command("import")
    .description("add another program's rules to the configuration")
    .addArgument(new Argument("<format>", "the language").choices(ruleLanguages.map(({ id }) => id)))
    .argument("<file>", "the file with the rules; - for standard input")
    .addOption(configOption())
    .addOption(dataOption())
    .option("--dry-run", "show what would change, and change nothing")
    .addOption(
      new Option("--prefer <whose>", "which rule stays where two contradict each other")
        .choices(["stricter", "imported", "current"])
        .default("stricter"),
    )
    .option("--folder <path>", "take over permissions that Copilot CLI saved for this folder")
    .option("--tools <file>", 'names of tools, as {"server": ["tool"]} (default: those of the running service)')
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (format: string, file: string, flags: Flags) => done(await importRules(format, file, flags, io)))
}

const examples = `
The report names every rule that is not carried exactly: its place, why, and what it became. It is never wider than it was. Comments and
order of the configuration stay. Where a service runs, restrictions apply at once, and what allows more waits for approval.

Formats:
${ruleLanguages.map(({ id, name, file }) => `  ${id.padEnd(12)} ${name}: ${file}`).join("\n")}

Examples:
  byleave import claude-code ~/.claude/settings.json --dry-run
  byleave import codex ~/.codex/config.toml --config team/byleave.yaml
  echo "--allow-tool 'files(read_file)'" | byleave import copilot -`

type Outcome = {
  readonly config: string
  readonly text: string
  /** The text that it was made of. */
  readonly before: string
  readonly added: readonly string[]
  readonly conflicts: readonly RuleConflict[]
  readonly losses: readonly RuleLoss[]
  readonly tightens: readonly PolicyChange[]
  readonly widens: readonly PolicyChange[]
  readonly isChanged: boolean
}

type Failure = { readonly error: string; readonly problems?: readonly ConfigProblem[] }

async function importRules(format: string, file: string, flags: Flags, io: Io): Promise<ExitCode> {
  const language = ruleLanguages.find(({ id }) => id === format)
  if (language === undefined) return 2
  const outcome = await planImport(language, file, flags, io)
  if ("error" in outcome) {
    reportFailure(outcome, flags.json === true, io)
    return 1
  }
  const isWritten = flags.dryRun !== true && outcome.isChanged
  if (isWritten && !replaceFile(resolve(io.cwd, outcome.config), outcome.text, outcome.before)) {
    reportFailure(
      { error: `${outcome.config} changed in the meantime. Nothing was imported; try again.` },
      flags.json === true,
      io,
    )
    return 1
  }
  if (flags.json === true) {
    const { text: _text, before: _before, isChanged: _isChanged, ...report } = outcome
    const [tightens, widens] = [report.tightens.map(withoutHidden), report.widens.map(withoutHidden)]
    io.stdout.write(jsonLines({ format, file, written: isWritten, ...report, tightens, widens }))
  } else io.stdout.write(textOf(outcome, file, isWritten, io))
  return 0
}

/** Leaves out the values behind masks: programs may keep the output that they read. */
function withoutHidden({ hidden: _, ...told }: PolicyChange): PolicyChange {
  return told
}

async function planImport(language: RuleLanguage, file: string, flags: Flags, io: Io): Promise<Outcome | Failure> {
  const config = configOf(flags, io)
  const [source, current, known] = await Promise.all([
    readText(file === "-" ? null : file, io),
    readText(config, io),
    knownTools(flags, io),
  ])
  if (!source.ok) return { error: source.problem }
  if (!current.ok)
    return { error: `${current.problem} Specify the configuration with --config, or run \`byleave init\`.` }
  if (!known.ok) return { error: known.problem }
  const before = loadPolicy(current.text, config, io)
  if (!before.ok) return { error: `${config} is invalid. Fix the problems listed.`, problems: before.problems }
  const { policy } = before.config
  const imported = importInto(current.text, policy, {
    ...{ language, source: { text: source.text, name: file }, known: known.tools, prefer: flags.prefer },
    ...(flags.folder === undefined ? {} : { folder: resolve(io.cwd, flags.folder) }),
  })
  if (!imported.ok) return { error: imported.why, problems: imported.problems }
  const { text, added, conflicts, losses } = imported
  const after = loadPolicy(text, config, io)
  if (!after.ok) return { error: `The rules of ${file} do not fit ${config}.`, problems: after.problems }
  const isChanged = text !== current.text
  return {
    config,
    text,
    before: current.text,
    added,
    conflicts,
    losses,
    ...comparePolicies(policy, after.config.policy),
    isChanged,
  }
}

function textOf(outcome: Outcome, file: string, isWritten: boolean, io: Io): string {
  const { config, added, conflicts, losses, tightens, widens } = outcome
  const paint = createPaint(io.stdout, io.env)
  const section = (title: string, lines: string) => (lines === "" ? "" : `${paint("bold", title)}\n${lines}`)
  const sentences = (changes: readonly PolicyChange[]) =>
    changes.map(({ sentence }) => `  ${sentenceLines(sentence)}\n`).join("")
  return [
    section("Not carried exactly:", lossLines(losses, file, paint)),
    section("Contradictions:", conflictLines(conflicts)),
    section("Restricts more:", sentences(tightens)),
    section("Allows more:", sentences(widens)),
    `${summaryOf(safeLines(config), added.length, losses.length, outcome.isChanged, isWritten)}\n`,
    isWritten && widens.length > 0 ? `${waits}\n` : "",
  ].join("")
}

function summaryOf(config: string, rules: number, losses: number, isChanged: boolean, isWritten: boolean): string {
  const differences =
    losses === 0 ? "" : ` ${countOf(losses, "entry").replace("entrys", "entries")} not carried exactly.`
  if (!isChanged) return `${config} says all of it already; nothing changes.${differences}`
  if (isWritten) return `Added ${countOf(rules, "rule")} to ${config}.${differences}`
  return `Would add ${countOf(rules, "rule")} to ${config}; nothing was changed.${differences}`
}

const waits = "If a service uses this file, what allows more waits for approval: see `byleave pending`."
