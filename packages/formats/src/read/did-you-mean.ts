/** The known word a mistyped one most likely stands for; undefined when none is near. */
export function nearestWord(typed: string, known: readonly string[]): string | undefined {
  const folded = fold(typed)
  const same = known.find((word) => fold(word) === folded)
  if (same !== undefined) return same
  // Long words come from no keyboard; comparing them would only cost time.
  if (folded.length > 64) return undefined
  const ranked = known
    .map((word) => ({ word, distance: editDistance(folded, fold(word)) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best !== undefined && best.distance <= allowedDistance(best.word) ? best.word : undefined
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[_\- ]/g, "")
}

function allowedDistance(word: string): number {
  return word.length <= 4 ? 1 : 2
}

/** Letters added, left out, replaced, or two neighbours swapped. */
function editDistance(a: string, b: string): number {
  let before: readonly number[] = []
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 0; row < a.length; row += 1) {
    const current = [row + 1]
    for (let column = 0; column < b.length; column += 1) {
      const replaced = (previous[column] ?? 0) + (a[row] === b[column] ? 0 : 1)
      const swapped =
        row > 0 && column > 0 && a[row] === b[column - 1] && a[row - 1] === b[column]
          ? (before[column - 1] ?? 0) + 1
          : replaced
      current.push(Math.min(replaced, swapped, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1))
    }
    before = previous
    previous = current
  }
  return previous.at(-1) ?? 0
}
