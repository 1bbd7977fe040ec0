/** The exports for pages: everything here works without schemas. */
export { applyEvent, emptyInbox } from "./client/apply-event.ts"
export { createPageClient } from "./client/create-page-client.ts"
export { newDeviceKey, signProof } from "./client/dpop-proof.ts"
export { followEvents } from "./client/follow-events.ts"
export { readCutJson } from "./show/cut-json.ts"
export { fileChanges, mayChangeFiles, shownPointers } from "./show/file-change.ts"
export { foreseen } from "./show/foreseen.ts"
export { holdsSecret, isMasked, isSecretName, scalarText } from "./show/masking.ts"
export { coverWords, remainingWords } from "./show/observed-words.ts"
export { riskLevelOf, riskWeight } from "./show/risk-level.ts"
export { scopeWords } from "./show/scope-words.ts"
export { connectionWords, folderName, sessionName, shortSessionName, tokenName } from "./show/session-name.ts"
export { bindAcceptance, grantAsShown, grantsDigest, sessionAsShown, sessionDigest } from "./verdict/bind-act.ts"
export { undoDigest } from "./verdict/bind-undo.ts"
export {
  bindVerdict,
  exactArguments,
  shownArguments,
  shownDigest,
  shownExtraParams,
  shownText,
} from "./verdict/bind-verdict.ts"
