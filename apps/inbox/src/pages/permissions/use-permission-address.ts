import { useRouter, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { stringifySearch } from "../../shell/search-text.ts"
import { type PermissionAddress, readAddress, searchOf } from "./permission-address.ts"

/** The permissions that the address asks for, and how to ask for others. The change is no step of the browser's history. */
export function usePermissionAddress(): readonly [PermissionAddress, (next: PermissionAddress) => void] {
  const router = useRouter()
  const read = readAddress(useSearch({ strict: false }) as Readonly<Record<string, unknown>>)
  // Typing is shown at once: the address follows a moment later.
  const [text, setText] = useState(read.filter.text)
  const show = (next: PermissionAddress): void => {
    setText(next.filter.text)
    const href = `/permissions${stringifySearch(searchOf(next))}`
    void router.navigate({ href, replace: true, resetScroll: false })
  }
  return [{ ...read, filter: { ...read.filter, text } }, show]
}
