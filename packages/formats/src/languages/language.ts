import type { ClassifyRule, Limits, Policy, Rule } from "@byleave/core"
import type { ConfigProblem } from "../problem.ts"

/** The names of the tools that are known of each server. */
export type KnownTools = ReadonlyMap<string, readonly string[]>

/**
 * How a rule that is not carried exactly compares with what it was.
 * `stricter`: it restricts more. `dropped`: nothing of it is carried, and nothing runs by it. `no-effect`: it never decided anything.
 * `weaker`: the language cannot say it, and leaves the answer to its user.
 */
export type LossKind = "stricter" | "dropped" | "no-effect" | "weaker"

/** One entry of a loss report. */
export type RuleLoss = {
  readonly kind: LossKind
  /** The place in the text that was read, e.g. `permissions.allow[3]`; of an export, the rule's id. */
  readonly path: string
  /** Both count from 1; absent where the rule comes from no text. */
  readonly line?: number
  readonly column?: number
  /** The rule or key as it is written. */
  readonly written: string
  readonly why: string
  readonly became: string
}

/** The only tools that a server may offer, as globs; all others are hidden. */
export type OfferList = { readonly server: string; readonly tools: readonly string[] }

/** The rules of another program in Byleave's words. */
export type ImportedRules = {
  readonly rules: readonly Rule[]
  /** The answer to calls that no rule is about; absent where the text does not say. */
  readonly default?: Policy["default"]
  /** Servers of which the text says that everything it does not name asks. */
  readonly asks: readonly string[]
  readonly offers: readonly OfferList[]
  readonly classify: readonly ClassifyRule[]
  /** The limits that the text gives. */
  readonly limits: Partial<Limits>
  readonly losses: readonly RuleLoss[]
}

export type ReadRulesResult =
  | ({ readonly ok: true } & ImportedRules)
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

export type ReadRulesOptions = {
  /** The file's name, for messages. */
  readonly name: string
  /** Servers whose names are known. */
  readonly servers: readonly string[]
  /** The tools that are known of them. */
  readonly tools?: KnownTools
  /** Servers that `byleave.yaml` configures, so that it can say what they offer; `servers` unless set. */
  readonly configured?: readonly string[]
  /** The folder whose permissions are meant, in languages that keep them by folder. */
  readonly folder?: string
}

export type WriteRulesOptions = {
  readonly known: KnownTools
}

export type WrittenRules = { readonly text: string; readonly losses: readonly RuleLoss[] }

/** A rule language that can be read and written. */
export type RuleLanguage = {
  readonly id: string
  readonly name: string
  /** The file or place that the text is from, and goes to. */
  readonly file: string
  readonly read: (text: string, options: ReadRulesOptions) => ReadRulesResult
  readonly write: (policy: Policy, options: WriteRulesOptions) => WrittenRules
}
