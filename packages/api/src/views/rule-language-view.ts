import { z } from "zod"
import { textProblem } from "./policy-text-view.ts"

/** A program whose rules can be imported and exported. */
export const ruleLanguageView = z
  .object({
    id: z.string(),
    name: z.string(),
    /** Where the program keeps its rules. */
    file: z.string(),
  })
  .meta({ id: "RuleLanguage" })
export type RuleLanguageView = z.infer<typeof ruleLanguageView>

/** Something that a translation does not carry exactly. */
export const ruleLossView = z
  .object({
    /** `stricter`: it restricts more. `dropped`: nothing of it is carried. `no-effect`: it decided nothing. `weaker`: the other program cannot say it. */
    kind: z.enum(["stricter", "dropped", "no-effect", "weaker"]),
    path: z.string(),
    line: z.int().nullable(),
    written: z.string(),
    why: z.string(),
    became: z.string(),
  })
  .meta({ id: "RuleLoss" })
export type RuleLossView = z.infer<typeof ruleLossView>

/** Another program's rules as an edit of the configuration. */
export const importedRulesView = z
  .object({
    /** False: they cannot be imported; `why` and `problems` say why. */
    ok: z.boolean(),
    why: z.string().nullable(),
    /** Problems of the text that was given. */
    problems: z.array(textProblem).readonly(),
    /** The language it was read as; null where none fits. */
    language: ruleLanguageView.nullable(),
    /** The configuration with the rules in it, and the version it is an edit of; null where there is none. */
    text: z.string().nullable(),
    version: z.string(),
    added: z.array(z.string()).readonly(),
    conflicts: z.array(z.object({ imported: z.string(), current: z.string(), outcome: z.string() })).readonly(),
    losses: z.array(ruleLossView).readonly(),
  })
  .meta({ id: "ImportedRules" })
export type ImportedRulesView = z.infer<typeof importedRulesView>

/** The rules in effect, for another program. */
export const exportedRulesView = z
  .object({ language: ruleLanguageView, text: z.string(), losses: z.array(ruleLossView).readonly() })
  .meta({ id: "ExportedRules" })
export type ExportedRulesView = z.infer<typeof exportedRulesView>
