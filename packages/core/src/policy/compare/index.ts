export { globCovers, globsDisjoint } from "../conditions/glob.ts"
export { type Catalogue, lintPolicy, type PolicyProblem } from "./lint-policy.ts"
export { type RecordedCall, replayCalls } from "./replay-calls.ts"
export { type AnsweredCall, suggestRules } from "./suggest-rules.ts"
