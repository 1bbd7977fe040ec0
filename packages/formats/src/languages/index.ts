export type { RuleLanguage, RuleLoss } from "./language.ts"
export { ruleLanguages } from "./languages.ts"
export { mergeRules, namedServers, type Preference, type RuleConflict } from "./merge-rules.ts"
