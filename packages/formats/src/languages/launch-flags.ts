import type { Policy } from "@byleave/core"
import type { RuleLoss, WriteRulesOptions } from "./language.ts"
import { claudeCode } from "./programs/claude-code.ts"
import { codexOverrides } from "./programs/codex.ts"
import { copilotFlags } from "./programs/copilot.ts"
import { gemini } from "./programs/gemini.ts"

/** Programs that take rules on their command line. */
export const flaggedPrograms = ["copilot", "claude", "codex", "gemini"] as const
export type FlaggedProgram = (typeof flaggedPrograms)[number]

export type LaunchFlagOptions = WriteRulesOptions & {
  /** The servers that the program's own configuration has. */
  readonly configured: readonly string[]
  /** The path of the file for the rules of a program that takes the name of a file, from its content. */
  readonly fileFor: (text: string) => string
}

export type LaunchFlags = {
  /** Words that give the program these rules, not quoted for a shell. */
  readonly args: readonly string[]
  /** The file that the words name; null where they name none. */
  readonly file: { readonly path: string; readonly text: string } | null
  readonly losses: readonly RuleLoss[]
}

export function launchFlags(program: FlaggedProgram, policy: Policy, options: LaunchFlagOptions): LaunchFlags {
  return flagsOf[program](policy, options)
}

const flagsOf = {
  copilot: (policy, options) => {
    const { flags, losses } = copilotFlags(policy, options)
    return { args: flags.map(([flag, value]) => `${flag}=${value}`), file: null, losses }
  },
  // Its lists of allowed and disallowed tools cannot say that a tool asks; settings can.
  claude: (policy, options) => {
    const { text, losses } = claudeCode.write(policy, options)
    return { args: ["--settings", JSON.stringify(JSON.parse(text))], file: null, losses }
  },
  codex: (policy, options) => {
    const { values, losses } = codexOverrides(policy, options, options.configured)
    return { args: values.flatMap((value) => ["-c", value]), file: null, losses }
  },
  gemini: (policy, options) => {
    const { text, losses } = gemini.write(policy, options)
    const path = options.fileFor(text)
    return { args: ["--policy", path], file: { path, text }, losses }
  },
} as const satisfies Record<FlaggedProgram, (policy: Policy, options: LaunchFlagOptions) => LaunchFlags>
