import { useMemo, useState } from "react"
import { type ArgNode, secretsIn } from "./arg-tree.ts"

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
