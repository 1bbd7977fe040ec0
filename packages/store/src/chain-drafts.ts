import type { AuditDraft, ChainHead, EpochMs, JsonObject } from "@byleave/core"

/** The version of what a chain's first record says. */
const chainVersion = 1

/** A chain's first record: where all other chains stand, and the key its heads are signed with. */
export function openingDraft(others: readonly ChainHead[], keyId: string, at: EpochMs): AuditDraft {
  return aboutNothing("chain.opened", at, { anchors: others.map(anchorOf), key: keyId, version: chainVersion })
}

/** Where other chains stand now, so that cutting one shows in another. */
export function anchoringDraft(others: readonly ChainHead[], at: EpochMs): AuditDraft {
  return aboutNothing("heads.anchored", at, { anchors: others.map(anchorOf) })
}

/** That retention removed something, and how much. */
export function removalDraft(
  removed: { before: EpochMs; approvals: number; records: number },
  at: EpochMs,
): AuditDraft {
  return aboutNothing("payloads.removed", at, { ...removed })
}

function anchorOf({ writer, seq, hash }: ChainHead): JsonObject {
  return { writer, seq, hash }
}

function aboutNothing(type: AuditDraft["type"], at: EpochMs, body: JsonObject): AuditDraft {
  return { type, subject: null, step: 0, at, body }
}
