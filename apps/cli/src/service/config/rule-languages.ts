import type { ImportedRulesView, PolicyTextView, RuleLossView } from "@byleave/api"
import type { Policy } from "@byleave/core"
import type { Catalogue } from "@byleave/core/compare"
import {
  detectLanguage,
  importInto,
  policyInForce,
  type RuleLanguage,
  type RuleLoss,
  ruleLanguages,
} from "@byleave/formats/languages"
import type { ForeignRules, RuleLanguages } from "@byleave/server"

export type RuleLanguagePorts = {
  /** The file as people see it, its secrets masked. */
  readonly readText: () => Promise<PolicyTextView>
  /** The policy that the file says, in force or not; null where it is invalid. */
  readonly inFile: () => Policy | null
  readonly inForce: () => Policy
  /** The tools that servers list now. */
  readonly catalogue: () => Catalogue
}

/** Rules of other programs before a running service: read into the file's text, and written from the rules in force. */
export function openRuleLanguages({ readText, inFile, inForce, catalogue }: RuleLanguagePorts): RuleLanguages {
  const known = () => new Map(catalogue().map(({ server, tools }) => [server, tools]))
  return {
    list: () => ruleLanguages.map(viewOf),
    // The text first: should the file change in between, saving meets another version.
    read: async (asked) => readInto(asked, await readText(), inFile(), known()),
    write: (id, said) => {
      const language = ruleLanguages.find((each) => each.id === id)
      if (language === undefined) return null
      const grants = said.grants.filter(({ effect }) => effect === "deny")
      const current = policyInForce(inForce(), { grants, pins: said.pins })
      const { text, losses } = language.write(current.policy, { known: known() })
      return { language: viewOf(language), text, losses: [...current.losses, ...losses].map(lossView) }
    },
  }
}

const nothing = { ok: false, problems: [], language: null, text: null, added: [], conflicts: [], losses: [] } as const

function readInto(
  { format, source, prefer, folder }: ForeignRules,
  current: PolicyTextView,
  policy: Policy | null,
  known: ReadonlyMap<string, readonly string[]>,
): ImportedRulesView {
  const { version } = current
  if (current.text === null || policy === null) return { ...nothing, version, why: current.why }
  const language = format === undefined ? detectLanguage(source) : ruleLanguages.find(({ id }) => id === format)
  if (language === undefined || language === null) return { ...nothing, version, why: undetected }
  const imported = importInto(current.text, policy, {
    ...{ language, source: { text: source, name: "The text" }, known, prefer },
    ...(folder === undefined ? {} : { folder }),
  })
  if (!imported.ok) {
    const problems = imported.problems.map(({ severity, message, line, column }) => ({
      severity,
      message,
      line,
      column,
    }))
    return { ...nothing, version, why: imported.why, problems, language: viewOf(language) }
  }
  const { text, added, conflicts, losses } = imported
  const carried = { text, added, conflicts, losses: losses.map(lossView) }
  return { ok: true, why: null, problems: [], language: viewOf(language), version, ...carried }
}

const undetected = "The format could not be detected. Choose the program these rules are from."

function viewOf({ id, name, file }: RuleLanguage) {
  return { id, name, file }
}

function lossView({ kind, path, line, written, why, became }: RuleLoss): RuleLossView {
  return { kind, path, line: line ?? null, written, why, became }
}
