import type { ApprovalView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { useMemo, useState } from "react"
import type { CheckArguments, LoadCheck, VerdictState } from "../verdict.ts"
import {
  type ArgumentChange,
  type ArgumentField,
  argumentFields,
  type FieldTexts,
  problemsByKey,
  readFields,
} from "./argument-fields.ts"

/**
 * Where arguments are edited: nowhere, in the fields at the end of the card, in a box in the place of a text's difference, or there no more,
 * the difference being shown anew with the edit in it.
 */
export type EditPlace = "nowhere" | "form" | "in-place" | "shown"

export type ArgumentEdit = {
  readonly place: EditPlace
  /** Something is edited, wherever. */
  readonly isOpen: boolean
  readonly fields: readonly ArgumentField[]
  readonly texts: FieldTexts
  /** By key; under the empty key what is wrong with all of them together. */
  readonly problems: ReadonlyMap<string, string>
  readonly changes: readonly ArgumentChange[]
  /** Closing it would lose something, be it whole or not. */
  readonly isTyped: boolean
  /** The arguments that would be sent; null while nothing has changed or something does not fit. */
  readonly toSend: JsonObject | null
  /** Opens the fields at the end of the card; what was edited in place is in them. */
  readonly start: () => void
  readonly startInPlace: () => void
  /** Ends typing in place, so that its difference is shown; where nothing was changed, it ends editing. */
  readonly showChange: () => void
  readonly stop: () => void
  readonly change: (key: string, text: string | null) => void
}

const noTexts: FieldTexts = new Map()

/** Arguments while somebody changes them: nothing is sent before the change is whole and fits, as far as can be told here. */
export function useArgumentEdit(
  approval: ApprovalView,
  verdict: VerdictState,
  loadCheck: LoadCheck | undefined,
): ArgumentEdit {
  const [place, setPlace] = useState<EditPlace>("nowhere")
  const [texts, setTexts] = useState(noTexts)
  const [check, setCheck] = useState<CheckArguments | null>(null)
  const schema = approval.definition?.inputSchema ?? null
  const args = useMemo(() => shownArguments(approval), [approval])
  const fields = useMemo(() => (args === null ? [] : argumentFields(args, schema)), [args, schema])
  const read = useMemo(() => readFields(fields, texts), [fields, texts])
  const fits = read.ok && schema !== null && check !== null ? check(schema, read.args) : []
  const told = verdict.state === "refused" ? (verdict.problems ?? []) : []
  const isOpen = place !== "nowhere"
  const toSend = isOpen && read.ok && fits.length === 0 && read.changes.length > 0 ? read.args : null
  const problems = read.ok ? problemsByKey(fits.length > 0 ? fits : told, fields) : read.problems
  const start = (where: EditPlace): void => {
    setPlace(where)
    // One that cannot be fetched is missed by nobody: the service checks what is sent.
    loadCheck?.().then(
      (loaded) => setCheck(() => loaded),
      () => undefined,
    )
  }
  const stop = (): void => {
    setPlace("nowhere")
    setTexts(noTexts)
  }
  return {
    place,
    isOpen,
    fields,
    texts,
    problems,
    changes: read.changes,
    isTyped: isOpen && fields.some(({ key, text }) => texts.has(key) && texts.get(key) !== text),
    toSend,
    start: () => start("form"),
    startInPlace: () => start("in-place"),
    showChange: () => {
      if (problems.size > 0) return
      if (toSend === null) stop()
      else setPlace("shown")
    },
    stop,
    change: (key, text) => setTexts(new Map(texts).set(key, text)),
  }
}
