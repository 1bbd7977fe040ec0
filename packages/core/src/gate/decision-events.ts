import type { StoreEvent } from "./store.ts"

/** Whose decisions may fall otherwise after an event. `session`: those of the session that is its subject. */
export type DecisionScope = "everyone" | "session"

/** Null: no decision rests on it. Every event is here, so that nobody adds one without a thought of this. */
export const decisionScopes = {
  "policy.changed": "everyone",
  "grant.changed": "everyone",
  "definition.changed": "everyone",
  "mode.changed": "everyone",
  // People only: whose votes count, and which credentials hold.
  "access.changed": "everyone",
  // The one of them that agents cause as often as they like.
  "session.ended": "session",
  // A cancel reaches a call that runs by itself, and nothing else takes a yes back.
  "approval.pending": null,
  "approval.approved": null,
  "approval.denied": null,
  "approval.expired": null,
  "approval.cancelled": null,
  "approval.superseded": null,
  "approval.running": null,
  "approval.succeeded": null,
  "approval.failed": null,
  "approval.unknown": null,
  "approval.changed": null,
  // Those that decisions rest on are told as changes of access.
  "document.changed": null,
  // Connections end with it, and what waits for them.
  "server.changed": null,
  // A run that ends withdraws its calls.
  "agent-run.changed": null,
} as const satisfies Record<StoreEvent["type"], DecisionScope | null>

/** Everyone's after an event that this process does not know, written by a newer one. */
export function decisionScope({ type }: Pick<StoreEvent, "type">): DecisionScope | null {
  const scope: DecisionScope | null | undefined = decisionScopes[type]
  return scope === undefined ? "everyone" : scope
}
