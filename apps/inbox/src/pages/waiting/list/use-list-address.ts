import { useNavigate, useSearch } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import type { CallFilter } from "./filter-calls.ts"
import { filterIn, searchFor } from "./list-address.ts"

export type ListAddress = {
  readonly filter: CallFilter
  readonly setFilter: (filter: CallFilter) => void
  readonly openId: string | null
  readonly setOpen: (id: string | null) => void
}

/** Whoever types is not followed letter by letter. */
const writeAfterMs = 300

/** Keeps the filters and the open call in the address, so that both can be linked to and survive a reload. */
export function useListAddress(): ListAddress {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const openId = typeof search.open === "string" ? search.open : null
  const [filter, setFilter] = useState(() => filterIn(search))
  const inAddress = filterIn(search)
  const addressed = keyOf(inAddress)
  const lastAddressed = useRef(addressed)
  // Fields change at once, the address a little later; an address that somebody else changed, such as a link or Back, wins.
  useEffect(() => {
    if (addressed === lastAddressed.current) return
    lastAddressed.current = addressed
    setFilter(filterIn(search))
  }, [addressed, search])
  useEffect(() => {
    if (keyOf(filter) === lastAddressed.current) return
    const timer = setTimeout(() => {
      lastAddressed.current = keyOf(filter)
      void navigate({ to: "/", search: searchFor(filter, openId) as never, replace: true, resetScroll: false })
    }, writeAfterMs)
    return () => clearTimeout(timer)
  }, [filter, openId, navigate])
  const setOpen = (id: string | null): void => {
    lastAddressed.current = keyOf(filter)
    const replace = openId !== null && id !== null
    void navigate({ to: "/", search: searchFor(filter, id) as never, replace, resetScroll: false })
  }
  return { filter, setFilter, openId, setOpen }
}

function keyOf(filter: CallFilter): string {
  return new URLSearchParams(searchFor(filter, null)).toString()
}
