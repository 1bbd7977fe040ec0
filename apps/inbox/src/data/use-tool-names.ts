import { shownToolNames } from "@byleave/ui"
import { useMemo } from "react"
import { useRead } from "./use-read.ts"

/** Tools of these servers as people know them, by the names that models are given. */
export function useToolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const servers = useRead("listServers")
  const items = servers.state === "ready" ? servers.value.items : none
  return useMemo(() => shownToolNames(items.filter(({ id }) => ids.includes(id))), [items, ids])
}

const none: readonly never[] = []
