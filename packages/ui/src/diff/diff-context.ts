import { createContext } from "react"
import type { DiffLine } from "../card/changes/line-diff.ts"
import type { RiskedLines } from "./risk-places.ts"

/** A person's words about one line. */
export type LineComment = {
  /** The line's number; null where numbers say nothing. */
  readonly line: number | null
  /** The line is to go, and has its number in the old text. */
  readonly isRemoved: boolean
  /** The line itself, to tell it by. */
  readonly quote: string
  readonly text: string
}

/** Comments on the lines of one file, by a key per line. */
export type LineComments = {
  readonly all: ReadonlyMap<string, LineComment>
  /** An empty text takes the comment away. */
  readonly onSave: (key: string, line: DiffLine, hasNumbers: boolean, text: string) => void
}

/** The file whose lines are shown. */
export type DiffSurroundings = {
  readonly path: string | null
  readonly risked: RiskedLines
  /** Null: nothing can be commented on here. */
  readonly comments: LineComments | null
}

export const noRisked: RiskedLines = new Map()

export const DiffContext = createContext<DiffSurroundings>({ path: null, risked: noRisked, comments: null })
