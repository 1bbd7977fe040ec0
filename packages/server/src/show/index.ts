/** What is stored, as people see it; for whoever shows it without a service in between. */
export { answerRefused } from "../gate/answer-refused.ts"
export { runsRefused } from "../handlers/runs/runs-refused.ts"
export { problemOf, type RefusedRequest, refuse } from "../refused.ts"
export { approvalSummaryOf, approvalViewOf } from "./approval-view-of.ts"
export { grantViewOf } from "./grant-view-of.ts"
export { pinViewOf } from "./pin-view-of.ts"
export { runSummaryViewOf, runViewOf } from "./run-view-of.ts"
export { toolKnowledge, toolWords } from "./tool-knowledge.ts"
