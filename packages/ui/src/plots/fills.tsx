import type { ReactNode } from "react"
import look from "./fills.module.css"
import type { Fill, Series } from "./series.ts"

const marks = {
  yes: null,
  know: null,
  wait: "M-2 2L2 -2M0 8L8 0M6 10L10 6",
  no: "M0 0L8 8M8 0L0 8",
  quiet: "M0 4H8",
} as const satisfies Record<Fill, string | null>

/** The patterns that the bars of one plot are filled with. */
export function FillPatterns({ id, series }: { readonly id: string; readonly series: readonly Series[] }): ReactNode {
  return (
    <defs>
      {series.map(({ key, fill }) => (
        <pattern key={key} id={`${id}-${fill}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <rect className={look.ground} data-fill={fill} width="8" height="8" />
          {marks[fill] !== null && <path className={look.mark} data-fill={fill} d={marks[fill]} />}
        </pattern>
      ))}
    </defs>
  )
}

export function fillOf(id: string, series: Series | undefined): string {
  return `url(#${id}-${series?.fill ?? "know"})`
}

/** The legend of the patterns; it has its own copies, so that it does not depend on a plot being drawn. */
export function Legend({ id, series }: { readonly id: string; readonly series: readonly Series[] }): ReactNode {
  return (
    <ul className={look.legend}>
      {series.map((one) => (
        <li key={one.key}>
          <svg className={look.swatch} viewBox="0 0 16 16" aria-hidden="true">
            <FillPatterns id={`${id}-legend`} series={[one]} />
            <rect
              className={look.edge}
              data-fill={one.fill}
              x="0.5"
              y="0.5"
              width="15"
              height="15"
              rx="2"
              fill={fillOf(`${id}-legend`, one)}
            />
          </svg>
          {one.label}
        </li>
      ))}
    </ul>
  )
}
