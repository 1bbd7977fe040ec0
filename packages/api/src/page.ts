/** What pages use: everything here goes without schemas. */
export { ApiError } from "./api-error.ts"
export { applyEvent, emptyInbox } from "./apply-event.ts"
export { createPageClient } from "./create-page-client.ts"
export { newDeviceKey, signProof } from "./dpop-proof.ts"
export { fileChanges } from "./file-change.ts"
export { followEvents } from "./follow-events.ts"
