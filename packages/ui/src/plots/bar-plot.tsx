import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react"
import look from "./bar-plot.module.css"
import { countTicks } from "./count-ticks.ts"
import fills from "./fills.module.css"
import { FillPatterns, fillOf } from "./fills.tsx"
import { followInPage } from "./follow.ts"
import { countsInWords, type PlotBar, type Series, totalOf } from "./series.ts"
import { labelEvery } from "./span-words.ts"
import { stackParts } from "./stack-parts.ts"
import { useWidth } from "./use-width.ts"

export type BarPlotProps = {
  readonly label: string
  readonly series: readonly Series[]
  /** The bars, at most so many: what the width has room for. */
  readonly barsFor: (most: number) => readonly PlotBar[]
  readonly onFollow: (href: string) => void
}

const height = 200
const top = 12
const foot = 24
const side = 36
/** Wide enough to be touched. */
const leastBand = 26
const widestBar = 40

/** Standing bars, stacked by series. Each is a link; one of them is in the tab order, the arrow keys go to the others. */
export function BarPlot({ label, series, barsFor, onFollow }: BarPlotProps): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  const width = useWidth(place)
  const [shown, setShown] = useState<string | null>(null)
  const room = Math.max(0, width - side)
  const bars = room === 0 ? [] : barsFor(Math.max(1, Math.floor(room / leastBand)))
  const [current, setCurrent] = useState<string | null>(null)
  const links = bars.filter((bar) => bar.href !== null)
  const tabStop = links.some((bar) => bar.key === current) ? current : (links.at(-1)?.key ?? null)
  const looked = bars.find((bar) => bar.key === shown)
  const ticks = countTicks(Math.max(0, ...bars.map((bar) => totalOf(bar.counts))))
  const perCount = (height - top) / (ticks.at(-1) ?? 1)
  const band = bars.length === 0 ? 0 : room / bars.length
  const every = labelEvery(bars.length, room)
  return (
    <div ref={place} className={look.place}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be drawn in */}
      <svg
        className={look.plot}
        width={width}
        height={height + foot}
        role="group"
        aria-label={label}
        onKeyDown={moveAmongLinks}
      >
        <FillPatterns id={id} series={series} />
        <Grid ticks={ticks} perCount={perCount} width={width} />
        {bars.map((bar, at) => (
          <Bar
            key={bar.key}
            bar={bar}
            name={`${bar.name}: ${countsInWords(bar.counts, series)}`}
            isTabStop={bar.key === tabStop}
            x={side + at * band}
            band={band}
            onLook={() => setShown(bar.key)}
            onFocus={() => {
              setShown(bar.key)
              setCurrent(bar.key)
            }}
            onFollow={onFollow}
          >
            {stackParts(bar.counts, height, perCount).map((part) => (
              <rect
                key={series[part.series]?.key}
                className={fills.edge}
                data-fill={series[part.series]?.fill}
                fill={fillOf(id, series[part.series])}
                x={side + at * band + (band - barWidth(band)) / 2}
                width={barWidth(band)}
                y={part.y}
                height={part.height}
              />
            ))}
          </Bar>
        ))}
        {bars.map((bar, at) =>
          (bars.length - 1 - at) % every === 0 ? (
            <text key={bar.key} className={look.tick} x={side + (at + 0.5) * band} y={height + 17} textAnchor="middle">
              {bar.tick}
            </text>
          ) : null,
        )}
      </svg>
      <p className={look.readout} aria-hidden="true">
        {looked === undefined
          ? "Point at a bar for details, or select it to see its calls."
          : `${looked.name}: ${countsInWords(looked.counts, series)}`}
      </p>
    </div>
  )
}

function barWidth(band: number): number {
  return Math.min(widestBar, band * 0.72)
}

type GridProps = { readonly ticks: readonly number[]; readonly perCount: number; readonly width: number }

function Grid({ ticks, perCount, width }: GridProps): ReactNode {
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line
            className={tick === 0 ? look.base : look.line}
            x1={side}
            x2={width}
            y1={height - tick * perCount}
            y2={height - tick * perCount}
          />
          <text className={look.tick} x={side - 8} y={height - tick * perCount + 4} textAnchor="end">
            {tick.toLocaleString("en")}
          </text>
        </g>
      ))}
    </g>
  )
}

type BarProps = {
  readonly bar: PlotBar
  readonly name: string
  readonly isTabStop: boolean
  readonly x: number
  readonly band: number
  readonly onLook: () => void
  readonly onFocus: () => void
  readonly onFollow: (href: string) => void
  readonly children: ReactNode
}

function Bar({ bar, name, isTabStop, x, band, onLook, onFocus, onFollow, children }: BarProps): ReactNode {
  const { href } = bar
  const target = <rect className={look.target} x={x} y={0} width={band} height={height} />
  if (href === null) return <g onPointerEnter={onLook}>{target}</g>
  return (
    <a
      className={look.bar}
      href={href}
      aria-label={name}
      tabIndex={isTabStop ? 0 : -1}
      onPointerEnter={onLook}
      onFocus={onFocus}
      onClick={(event) => followInPage(event, href, onFollow)}
    >
      {target}
      {children}
    </a>
  )
}

function moveAmongLinks(event: KeyboardEvent<SVGSVGElement>): void {
  const links = [...event.currentTarget.querySelectorAll("a")]
  const at = links.indexOf(document.activeElement as SVGAElement & HTMLAnchorElement)
  const next = nextLink(event.key, at, links.length)
  if (next === null) return
  event.preventDefault()
  links[next]?.focus()
}

function nextLink(key: string, at: number, count: number): number | null {
  switch (key) {
    case "ArrowLeft":
      return Math.max(0, at - 1)
    case "ArrowRight":
      return Math.min(count - 1, at + 1)
    case "Home":
      return 0
    case "End":
      return count - 1
    default:
      return null
  }
}
