type StackedPart = { readonly series: number; readonly y: number; readonly height: number }

/** Every part can be seen, however small beside the rest. */
const leastHeight = 2

/** The parts of one bar, from its foot at `height` upwards; `perCount` pixels each, nothing for a zero. */
export function stackParts(counts: readonly number[], height: number, perCount: number): readonly StackedPart[] {
  let top = height
  return counts.flatMap((count, series) => {
    if (count <= 0) return []
    const tall = Math.max(leastHeight, count * perCount)
    top -= tall
    return [{ series, y: top, height: tall }]
  })
}

type RowPart = { readonly series: number; readonly start: number; readonly width: number }

/** The parts of one lying bar in percent of the widest row. */
export function rowParts(counts: readonly number[], most: number): readonly RowPart[] {
  let start = 0
  return counts.flatMap((count, series) => {
    if (count <= 0 || most <= 0) return []
    const width = (count / most) * 100
    start += width
    return [{ series, start: start - width, width }]
  })
}
