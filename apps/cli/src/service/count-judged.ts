import type { AuditDraft, Change, CommitResult, Store } from "@byleave/core"

const decisions = new Map<AuditDraft["type"], string>([
  ["call.allowed", "allow"],
  ["call.asked", "ask"],
  ["call.denied", "deny"],
  ["call.hidden", "hide"],
])

/** The same store; what is judged through it is counted, once it is recorded. */
export function countJudged(store: Store): { readonly store: Store; readonly judged: ReadonlyMap<string, number> } {
  const judged = new Map([...decisions.values()].map((decision) => [decision, 0]))
  const count = ({ records }: Change): void => {
    for (const { type } of records) {
      const decision = decisions.get(type)
      if (decision !== undefined) judged.set(decision, (judged.get(decision) ?? 0) + 1)
    }
  }
  const commit = (change: Change): Promise<CommitResult> => {
    const committed = store.commit(change)
    const [first] = change.records
    if (first !== undefined && decisions.has(first.type)) {
      committed.then(
        ({ ok }) => {
          if (ok) count(change)
        },
        () => {},
      )
    }
    return committed
  }
  return { store: { ...store, commit }, judged }
}
