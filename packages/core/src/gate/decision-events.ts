import type { StoreEvent } from "./store.ts"

/** Whose decisions may fall otherwise after an event. `session`: those of the session that is its subject. */
export type DecisionScope = "everyone" | "session"

const scopes: Partial<Record<StoreEvent["type"], DecisionScope>> = {
  "policy.changed": "everyone",
  "grant.changed": "everyone",
  "definition.changed": "everyone",
  "mode.changed": "everyone",
  // The one of them that agents cause as often as they like.
  "session.ended": "session",
}

/** Null: no decision rests on it. */
export function decisionScope({ type }: Pick<StoreEvent, "type">): DecisionScope | null {
  return scopes[type] ?? null
}
