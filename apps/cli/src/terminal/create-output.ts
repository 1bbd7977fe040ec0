/**
 * Where a command writes.
 *
 * I1. On a terminal every row is ended here, before its edge, and goes on behind the mark: words that others chose begin none, whatever they are
 *     padded with. Only what is marked as such is written as it is.
 * I2. Files and programs get everything as it is.
 */
import { lineWidth } from "../decide/cut-line.ts"
import { usualColumns, wrapLine } from "../decide/wrap-line.ts"
import type { Output } from "../io.ts"

type Target = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  readonly columns: () => number | undefined
}

export function createOutput({ write, isTerminal, columns }: Target): Output {
  const rows = createRowEnds(() => columns() || usualColumns)
  return {
    isTerminal,
    columns,
    write: (text) => {
      if (typeof text !== "string") write(text.asIs)
      else write(isTerminal ? rows(text) : text)
    },
  }
}

/** Ends the rows of texts that follow each other: one may go on in the row that another has begun. */
function createRowEnds(columns: () => number): (text: string) => string {
  let begun = 0
  return (text) => {
    const most = columns()
    const rows: string[] = []
    for (const line of text.split("\n")) {
      // Every line but the first begins a row.
      const at = rows.length === 0 ? begun : 0
      const wrapped = wrapLine(line, most, at)
      for (const row of wrapped) rows.push(row)
      begun = (wrapped.length === 1 ? at : 0) + lineWidth(uncoloured(wrapped.at(-1) ?? ""))
    }
    return rows.join("\n")
  }
}

function uncoloured(row: string): string {
  return row.replaceAll(/\u001b\[[\d;]*m/g, "")
}
