import type { CurrentContentView } from "@byleave/api"
import type { ReactNode } from "react"
import look from "./changes/file-changes.module.css"

type ContentDoubtProps = { readonly current: Extract<CurrentContentView, { kind: "text" }> }

/** Says that the text a change is compared with may not be the file as it is. */
export function ContentDoubt({ current }: ContentDoubtProps): ReactNode {
  if (current.doubt === undefined) return null
  return (
    <p className={look.warning}>
      {current.doubt === "partial"
        ? "The server may have returned only part of the file. Changes to the rest are not shown, and the file cannot be put back later."
        : "The file contains bytes that are not valid UTF-8 text, shown here as \ufffd. It cannot be put back later."}
    </p>
  )
}
