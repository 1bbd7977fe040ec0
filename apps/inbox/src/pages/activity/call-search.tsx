import { type ReactNode, useEffect, useRef, useState } from "react"
import { usePageKeys } from "../../shell/use-page-key.ts"
import { SearchBox } from "../places/search-box.tsx"
import type { ActivityFilters } from "./activity-filters.ts"
import look from "./call-search.module.css"

/** How long nobody types before calls are looked for. */
const pauseMs = 350

type CallSearchProps = { readonly filters: ActivityFilters; readonly onShow: (filters: ActivityFilters) => void }

/** One box over tool, agent, arguments and reasons; what is typed goes into the page's address. */
export function CallSearch({ filters, onShow }: CallSearchProps): ReactNode {
  const shown = filters.text ?? ""
  const [typed, setTyped] = useState(shown)
  const [before, setBefore] = useState(shown)
  // The address has changed by other means: a link, a chip that was removed, the browser's own button.
  if (before !== shown) {
    setBefore(shown)
    if (typed.trim() !== shown) setTyped(shown)
  }
  useEffect(() => {
    const text = typed.trim()
    if (text === shown) return
    const timer = setTimeout(() => {
      const { text: _, ...others } = filters
      onShow(text === "" ? others : { ...others, text })
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [typed, shown, filters, onShow])
  const field = useRef<HTMLInputElement>(null)
  usePageKeys((key) => {
    if (key === "/") field.current?.select()
    return key === "/"
  })
  return (
    <search className={look.search}>
      <SearchBox
        label="Search calls"
        ref={field}
        maxLength={200}
        placeholder="Search tools, agents, arguments, reasons"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  )
}
