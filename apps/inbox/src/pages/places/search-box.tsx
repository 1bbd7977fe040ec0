import { Search } from "lucide-react"
import type { ComponentProps, ReactNode } from "react"
import look from "./search-box.module.css"

/** A box to search a list with; whoever shows it takes its key, "/". */
export function SearchBox({ label, ...input }: ComponentProps<"input"> & { readonly label: string }): ReactNode {
  return (
    <label className={look.search}>
      <Search aria-hidden="true" />
      <span className="only-read-aloud">{label}</span>
      <input type="search" {...input} />
      <kbd>/</kbd>
    </label>
  )
}
