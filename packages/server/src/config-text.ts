import type {
  CurrentContentView,
  ExportedRulesView,
  ImportedRulesView,
  PolicyPreviewView,
  PolicyTextView,
  RuleLanguageView,
} from "@byleave/api"
import type { Approval, DecisionState, Policy, Reviewer, Rule } from "@byleave/core"

/** The configuration as text that people edit. Where it is kept, and what of it is secret, the composition knows. */
export type ConfigText = {
  /** Configured secrets are masked in it. */
  readonly read: () => Promise<PolicyTextView>
  readonly preview: (text: string) => Promise<ConfigPreview>
  /** The text that was accepted last and the proposed one, for a call that would change it; null: the call is no such change. */
  readonly proposed: (approval: Approval) => Promise<CurrentContentView | null>
  /** Puts the text in force and writes it down; or neither. */
  readonly save: (saving: Saving) => Promise<SavedConfig>
  /** The text with rules, as entries of the file, behind the others, and without those to remove; `why` says why they cannot be put there. */
  readonly withRules: (
    text: string,
    rules: { readonly add: readonly string[]; readonly remove: readonly string[] },
  ) =>
    | { readonly ok: true; readonly text: string; readonly removed: readonly string[] }
    | { readonly ok: false; readonly why: string }
  /** A rule as an entry of the file. */
  readonly written: (rule: Rule) => string
}

/** Rules of other programs, into the configuration and out of it. */
export type RuleLanguages = {
  readonly list: () => readonly RuleLanguageView[]
  /** The file with the rules in it; nothing is written. */
  readonly read: (asked: ForeignRules) => Promise<ImportedRulesView>
  /** The rules in force, and what reviewers said besides them; null: no such language. */
  readonly write: (language: string, said: Pick<DecisionState, "grants" | "pins">) => ExportedRulesView | null
}

export type ForeignRules = {
  /** Undefined: the language that the text looks like. */
  readonly format: string | undefined
  readonly source: string
  readonly prefer: "stricter" | "imported" | "current"
  readonly folder: string | undefined
}

/** The part of a preview that does not depend on what happened here. */
export type ConfigPreview = Pick<PolicyPreviewView, "problems" | "ok" | "tightens" | "widens" | "other"> & {
  /** The policy that would be in force; null if nobody can say. */
  readonly policy: Policy | null
}

export type Saving = {
  readonly text: string
  /** Of the text that was edited. */
  readonly version: string
  readonly reviewer: Reviewer
  /** Whether a person is there: without one, only what tightens is saved. */
  readonly present: boolean
  /** Write it down as any other edit of the file: what it widens waits for approval, whoever is there. */
  readonly widening: "waits" | undefined
}

export type SavedConfig =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: "presence-needed" }
  | {
      readonly ok: false
      readonly code: "conflict" | "bad-request" | "unavailable"
      readonly detail: string
      readonly problems: PolicyTextView["problems"]
    }
