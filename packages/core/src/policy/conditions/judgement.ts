/** The result of a condition on a call's arguments; `unjudged` is a sentence that names the missing facts. */
export type Judgement = "holds" | "fails" | { readonly unjudged: string }

/** Holds when both do; one that fails settles it, whatever the other might have been. */
export function both(a: Judgement, b: Judgement): Judgement {
  if (a === "fails" || b === "fails") return "fails"
  return a === "holds" ? b : a
}

/** Holds when one does; an unjudged one matters only where none holds. */
export function either(a: Judgement, b: Judgement): Judgement {
  if (a === "holds" || b === "holds") return "holds"
  return a === "fails" ? b : a
}
