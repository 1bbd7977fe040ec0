/** One line of bench/RESULTS.md. */
export type Row = {
  readonly what: string
  readonly reach: string
  readonly measured: string
  /** Null where nothing was set to reach. */
  readonly reached: boolean | null
}

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ what, reach, measured, reached }) => {
    const mark = reached === null ? "" : reached ? "reached" : "**not reached**"
    return `| ${what} | ${reach} | ${measured} | ${mark} |`
  })
  return `| what | to reach | measured | |
|---|---|---|---|
${lines.join("\n")}
`
}
