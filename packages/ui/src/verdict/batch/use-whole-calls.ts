import type { ApprovalView } from "@byleave/api"
import { useEffect, useMemo, useState } from "react"
import type { LoadCalls } from "../verdict.ts"

export type WholeCalls =
  | { readonly state: "reading" }
  | { readonly state: "ready"; readonly calls: readonly ApprovalView[] }
  | { readonly state: "failed" }

const none: WholeCalls = { state: "ready", calls: [] }

/** The calls of a list, whole: a list holds only their beginnings. Read once for the same calls. */
export function useWholeCalls(ids: readonly string[], loadCalls: LoadCalls | undefined): WholeCalls {
  const names = ids.join(" ")
  const [read, setRead] = useState<{ readonly names: string; readonly is: WholeCalls } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names say which calls; a new list of the same ones changes nothing
  const wanted = useMemo(() => ids, [names])
  useEffect(() => {
    if (loadCalls === undefined || wanted.length === 0) return
    let isOver = false
    const become = (is: WholeCalls): void => {
      if (!isOver) setRead({ names, is })
    }
    loadCalls(wanted).then(
      (calls) => become({ state: "ready", calls }),
      () => become({ state: "failed" }),
    )
    return () => {
      isOver = true
    }
  }, [names, wanted, loadCalls])
  if (loadCalls === undefined || wanted.length === 0) return none
  return read?.names === names ? read.is : { state: "reading" }
}
