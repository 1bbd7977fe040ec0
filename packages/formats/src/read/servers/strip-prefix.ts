import { compileGlob } from "@byleave/core"

/**
 * The globs that match a name exactly when `glob` matches `prefix` followed by that name.
 * Patterns written for prefixed names then work on a tool's own name, which is all Byleave knows it by.
 */
export function stripPrefix(glob: string, prefix: string): readonly string[] {
  const steps = glob.match(/\[!?\]?[^\]]*\]|[\s\S]/gu) ?? []
  let reached = throughStars(steps, new Set([0]))
  for (const character of prefix) {
    const next = [...reached].flatMap((at) => {
      const step = steps[at]
      if (step === "*") return [at]
      return step !== undefined && compileGlob(step)(character) ? [at + 1] : []
    })
    reached = throughStars(steps, new Set(next))
  }
  // The rest after a star that was reached too is already matched from that star on.
  return [...reached]
    .filter((at) => !reached.has(at - 1) || steps[at - 1] !== "*")
    .map((at) => steps.slice(at).join(""))
}

function throughStars(steps: readonly string[], places: ReadonlySet<number>): ReadonlySet<number> {
  const reached = new Set(places)
  // A set's iteration also visits what is added meanwhile.
  for (const at of reached) if (steps[at] === "*") reached.add(at + 1)
  return reached
}
