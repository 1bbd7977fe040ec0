import { useMemo, useState } from "react"
import { type ArgNode, secretsIn } from "./arg-tree.ts"
import { countOf } from "./cut-text.ts"

/** Which values of a card are masked, and the way to see them. */
export type Secrets = {
  /** Pointers of those not revealed yet. */
  readonly hidden: ReadonlySet<string>
  readonly all: readonly ArgNode[]
  readonly reveal: (pointers: readonly string[]) => void
}

/** Revealed for as long as the card is shown; the next look masks them again. */
export function useSecrets(tree: readonly ArgNode[]): Secrets {
  const [revealed, setRevealed] = useState<ReadonlySet<string>>(new Set())
  return useMemo(() => {
    const all = secretsIn(tree)
    const hidden = new Set(all.map(({ pointer }) => pointer).filter((pointer) => !revealed.has(pointer)))
    return { hidden, all, reveal: (pointers) => setRevealed((before) => new Set([...before, ...pointers])) }
  }, [tree, revealed])
}

/** Why Allow cannot be pressed yet; null when every value was there to be seen. */
export function blockedBy(hidden: ReadonlySet<string>): string | null {
  if (hidden.size === 0) return null
  return hidden.size === 1
    ? "One value is hidden because it looks like a secret. Reveal it before you allow the call."
    : `${countOf(hidden.size, "value")} are hidden because they look like secrets. Reveal them before you allow the call.`
}
