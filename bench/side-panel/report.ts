/** The side panel's part of bench/RESULTS.md: its size, how soon it can be used, and what a held call takes. */
import type { PanelSize } from "../../scripts/sizes/panel-size.ts"
import { apart } from "../apart.ts"
import type { Row } from "../row.ts"

/** As `panelNumbers` gives them. */
type Numbers = {
  readonly size: PanelSize
  readonly opened: number
  readonly start: { readonly paint: number; readonly usable: number }
  readonly held: number
  readonly memory: { readonly heap: number; readonly disk: number }
}

export function measureSidePanel(): readonly Row[] {
  const { size, opened, start, held, memory } = apart<Numbers>(
    "../test/browser/fixtures/side-panel/numbers.ts",
    "panelNumbers",
  )
  const stated = (what: string, measured: string): Row => ({ what, reach: "stated", measured, reached: null })
  return [
    sizeRow("worker, packed", size.worker, 120_000),
    sizeRow("panel before it can be used, packed", size.panel, 260_000),
    stated("panel with what is loaded later, packed", bytes(size.all)),
    stated(
      `standalone, the best of ${opened} openings: first paint, and the message field can be used`,
      `${start.paint} ms, ${start.usable} ms after the document began to load`,
    ),
    stated(
      `standalone, ${held.toLocaleString("en")} held calls, each with a caller: JavaScript memory each`,
      bytes(memory.heap),
    ),
    stated("the same on disk, with audit and events, each", bytes(memory.disk)),
  ]
}

function sizeRow(what: string, size: number, most: number): Row {
  return { what, reach: `≤ ${bytes(most)}`, measured: bytes(size), reached: size <= most }
}

function bytes(count: number): string {
  return `${Math.round(count).toLocaleString("en")} bytes`
}
