import type { InsightView } from "@byleave/api"
import type { ActivityFilters } from "../activity/activity-filters.ts"

/** The props that every plot of the page takes. */
export type PlotPlace = {
  readonly view: InsightView
  /** The time it is about, as in `in the last 7 days`. */
  readonly when: string
  /** Where the calls behind something are listed. */
  readonly hrefOf: (filters: ActivityFilters) => string
  readonly onFollow: (href: string) => void
}
