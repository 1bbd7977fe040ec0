/** What pages use: everything here goes without schemas. */
export { ApiError } from "./api-error.ts"
export { applyEvent, emptyInbox } from "./apply-event.ts"
export { definitionsDigest, grantAsShown, grantsDigest, sessionAsShown, sessionDigest } from "./bind-act.ts"
export { undoDigest } from "./bind-undo.ts"
export {
  bindVerdict,
  exactArguments,
  shownArguments,
  shownDigest,
  shownExtraParams,
  shownText,
} from "./bind-verdict.ts"
export { createPageClient } from "./create-page-client.ts"
export { newDeviceKey, signProof } from "./dpop-proof.ts"
export { fileChanges, mayChangeFiles, shownPointers } from "./file-change.ts"
export { followEvents } from "./follow-events.ts"
export { foreseen } from "./foreseen.ts"
export { isMasked, isSecretName, scalarText } from "./masking.ts"
export { connectionWords, folderName, sessionName, shortSessionName, tokenName } from "./session-name.ts"
