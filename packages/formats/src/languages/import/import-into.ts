import type { Policy } from "@byleave/core"
import type { ConfigProblem } from "../../problem.ts"
import { editConfig } from "../../text/edit-config.ts"
import type { KnownTools, RuleLanguage, RuleLoss } from "../language.ts"
import { mergeRules, namedServers, type Preference, type RuleConflict } from "./merge-rules.ts"

export type ImportIntoOptions = {
  readonly language: RuleLanguage
  /** The other program's text, and its name for messages. */
  readonly source: { readonly text: string; readonly name: string }
  readonly known: KnownTools
  readonly prefer: Preference
  /** The folder whose permissions are meant, in languages that keep them by folder. */
  readonly folder?: string
}

export type ImportedText =
  | {
      readonly ok: true
      readonly text: string
      /** The rules that were added, a line each. */
      readonly added: readonly string[]
      readonly conflicts: readonly RuleConflict[]
      readonly losses: readonly RuleLoss[]
    }
  | { readonly ok: false; readonly why: string; readonly problems: readonly ConfigProblem[] }

/** The text of `byleave.yaml` with another program's rules in it. `policy` is what the text says now. */
export function importInto(text: string, policy: Policy, options: ImportIntoOptions): ImportedText {
  const { language, source, known, prefer, folder } = options
  const read = language.read(source.text, {
    name: source.name,
    servers: [...new Set([...namedServers(policy), ...known.keys()])],
    tools: known,
    configured: policy.servers.map(({ id }) => id),
    ...(folder === undefined ? {} : { folder }),
  })
  if (!read.ok) {
    return { ok: false, why: `${source.name} cannot be read as rules of ${language.name}.`, problems: read.problems }
  }
  const { edits, conflicts } = mergeRules(policy, read, prefer)
  const edited = editConfig(text, edits)
  if (!edited.ok) return { ok: false, why: edited.refusal.message, problems: [] }
  const added = edits.flatMap((edit) => (edit.kind === "add-rules" ? edit.rules.map(ruleLine) : []))
  return { ok: true, text: edited.text, added, conflicts, losses: read.losses }
}

function ruleLine(rule: object): string {
  return Object.entries(rule)
    .map(([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ")
}
