export const lighthouseVersion = "13.5.0"

export const formFactors = ["desktop", "mobile"] as const
export type FormFactor = (typeof formFactors)[number]

/** Lighthouse's scores for one page, out of 100. */
export type PageScore = {
  readonly page: string
  readonly formFactor: FormFactor
  readonly accessibility: number
  readonly bestPractices: number
  /** The findings that cost points, and where. */
  readonly found: readonly string[]
}

export function reaches({ accessibility, bestPractices }: PageScore): boolean {
  return accessibility === 100 && bestPractices >= 95
}

/** A line per page, for people and for Markdown. */
export function lighthouseTable(scores: readonly PageScore[]): string {
  const pages = [...new Set(scores.map(({ page }) => page))]
  const lines = pages.map((page) => {
    const of = (formFactor: FormFactor) =>
      scores.find((score) => score.page === page && score.formFactor === formFactor)
    const both = formFactors.map(of)
    const points = [...both.map((score) => score?.accessibility), ...both.map((score) => score?.bestPractices)]
    const isReached = both.every((score) => score !== undefined && reaches(score))
    return `| ${page} | ${points.map((one) => one ?? "?").join(" | ")} | ${isReached ? "reached" : "**not reached**"} |`
  })
  return `| page | accessibility, desktop | mobile | best practices, desktop | mobile | |
|---|---|---|---|---|---|
${lines.join("\n")}
`
}
