import { ruleLanguages } from "@byleave/formats/languages"
import { Argument, type Command } from "commander"
import { rulesOption } from "../../config/config-option.ts"
import { countOf } from "../../config/problem-lines.ts"
import { lossLines } from "../../config/rule-lines.ts"
import { reportFailure } from "../../failure.ts"
import { dataOption } from "../../files/data-folder.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { currentPermissions, sourceOf } from "../../launch/current-permissions.ts"
import { createPaint, jsonLines, safeLines } from "../../terminal/paint.ts"

type Flags = { readonly config?: string; readonly data?: string; readonly tools?: string; readonly json?: true }

export function addExport(program: Command, io: Io, done: Done): void {
  program
    .command("export")
    .description("print the rules in the language of another program")
    .addArgument(new Argument("<format>", "the language").choices(ruleLanguages.map(({ id }) => id)))
    .addOption(rulesOption())
    .addOption(dataOption())
    .option("--tools <file>", 'names of tools, as {"server": ["tool"]} (default: those of the running service)')
    .option("--json", "print one JSON object")
    .addHelpText("after", examples)
    .action(async (format: string, flags: Flags) => done(await exportRules(format, flags, io)))
}

const examples = `
The rules go to standard output; standard error names every rule that is not carried exactly, why, and what it became. Nothing is allowed
that Byleave would not allow: where a service runs, saved denials and quarantined or rejected tools are carried, too. Where none runs, the rules are those of its file as
they were in force last; a file in the current folder is taken with --config only. Languages without patterns get the names of tools that are known.

Formats:
${ruleLanguages.map(({ id, name, file }) => `  ${id.padEnd(12)} ${name}: ${file}`).join("\n")}

Examples:
  byleave export claude-code
  byleave export copilot --config team/byleave.yaml --tools tools.json`

async function exportRules(format: string, flags: Flags, io: Io): Promise<ExitCode> {
  const json = flags.json === true
  const language = ruleLanguages.find(({ id }) => id === format)
  if (language === undefined) return 2
  const current = await currentPermissions(flags, io, "denials")
  if ("error" in current) {
    reportFailure(current, json, io)
    return 1
  }
  const { config, policy, known, isFileAlone } = current
  const written = language.write(policy, { known })
  const losses = [...current.losses, ...written.losses]
  const { text } = written
  if (json) io.stdout.write(jsonLines({ format, config, file: language.file, text, losses, isFileAlone }))
  else {
    io.stdout.write(safeLines(text))
    const summary = losses.length === 0 ? "Every rule is carried exactly." : `${countOf(losses.length, "difference")}.`
    io.stderr.write(
      `${lossLines(losses, config, createPaint(io.stderr, io.env))}${summary} For: ${language.file}\n${sourceOf(current)}\n`,
    )
  }
  return 0
}
