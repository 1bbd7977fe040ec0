import { useMemo } from "react"
import { useRead } from "./use-read.ts"

/** Tools as people know them, by the names that models are given; a name that was made otherwise is shown as it is. */
export function useToolNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const servers = useRead("listServers")
  const items = servers.state === "ready" ? servers.value.items : none
  return useMemo(() => {
    const used = items.filter(({ id }) => ids.includes(id))
    return new Map(used.flatMap(({ id, tools }) => tools.map(({ name }) => [`${id}__${name}`, `${id}(${name})`])))
  }, [items, ids])
}

const none: readonly never[] = []
