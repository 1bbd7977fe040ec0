import type { ApprovalView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { useMemo, useState } from "react"
import {
  type ArgumentChange,
  type ArgumentField,
  argumentFields,
  type FieldTexts,
  problemsByKey,
  readFields,
} from "./argument-fields.ts"
import type { CheckArguments, LoadCheck, VerdictState } from "./verdict.ts"

export type ArgumentEdit = {
  readonly isOpen: boolean
  readonly fields: readonly ArgumentField[]
  readonly texts: FieldTexts
  /** By key; under the empty key what is wrong with all of them together. */
  readonly problems: ReadonlyMap<string, string>
  readonly changes: readonly ArgumentChange[]
  /** Closing it would lose something, be it whole or not. */
  readonly isTyped: boolean
  /** What would be sent; null while nothing has changed or something does not fit. */
  readonly toSend: JsonObject | null
  readonly start: () => void
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
  const [isOpen, setOpen] = useState(false)
  const [texts, setTexts] = useState(noTexts)
  const [check, setCheck] = useState<CheckArguments | null>(null)
  const schema = approval.definition?.inputSchema ?? null
  const args = useMemo(() => shownArguments(approval), [approval])
  const fields = useMemo(() => (args === null ? [] : argumentFields(args, schema)), [args, schema])
  const read = useMemo(() => readFields(fields, texts), [fields, texts])
  const fits = read.ok && schema !== null && check !== null ? check(schema, read.args) : []
  const told = verdict.state === "refused" ? (verdict.problems ?? []) : []
  const problems = read.ok ? problemsByKey(fits.length > 0 ? fits : told, fields) : read.problems
  return {
    isOpen,
    fields,
    texts,
    problems,
    changes: read.changes,
    isTyped: isOpen && fields.some(({ key, text }) => texts.has(key) && texts.get(key) !== text),
    toSend: isOpen && read.ok && fits.length === 0 && read.changes.length > 0 ? read.args : null,
    start: () => {
      setOpen(true)
      // One that cannot be fetched is missed by nobody: the service checks what is sent.
      loadCheck?.().then(
        (loaded) => setCheck(() => loaded),
        () => undefined,
      )
    },
    stop: () => {
      setOpen(false)
      setTexts(noTexts)
    },
    change: (key, text) => setTexts(new Map(texts).set(key, text)),
  }
}
