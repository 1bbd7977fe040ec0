/** How a series is filled: a colour by meaning, and a pattern of its own so that colour is never the only sign. */
export type Fill = "yes" | "wait" | "no" | "quiet" | "know"

export type Series = { readonly key: string; readonly label: string; readonly fill: Fill }

/** One bar of a plot: a count per series, in the series' order. */
export type PlotBar = {
  readonly key: string
  /** Read aloud and shown when it is looked at closely: `Tuesday 14:00–15:00`. */
  readonly name: string
  /** Below the bar, where there is room. */
  readonly tick: string
  readonly counts: readonly number[]
  /** Where the calls behind it are listed; null: nowhere. */
  readonly href: string | null
}

export function totalOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Such as `12 allowed, 3 asked`; what is zero is left out. */
export function countsInWords(counts: readonly number[], series: readonly Series[]): string {
  const said = series.flatMap(({ label }, at) => {
    const count = counts[at] ?? 0
    return count === 0 ? [] : [`${count.toLocaleString("en")} ${label.toLowerCase()}`]
  })
  return said.length === 0 ? "none" : said.join(", ")
}
