import type { AuditReportView, Problem } from "@byleave/api"
import { useEffect, useRef, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { problemOf, read } from "../../data/use-read.ts"

export type Verifying =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly since: number }
  | { readonly state: "done"; readonly report: AuditReportView; readonly at: number; readonly tookMs: number }
  | { readonly state: "problem"; readonly problem: Problem }

/** Verifies when told to, never by itself: it reads the whole trail. */
export function useVerify(): { readonly verifying: Verifying; readonly verify: () => void; readonly stop: () => void } {
  const client = useClient()
  const [verifying, setVerifying] = useState<Verifying>({ state: "idle" })
  const over = useRef<AbortController | null>(null)
  useEffect(() => () => over.current?.abort(), [])
  const run = async (): Promise<void> => {
    const mine = new AbortController()
    over.current = mine
    const since = Date.now()
    setVerifying({ state: "running", since })
    try {
      const report = await read(client, "verifyAudit", undefined, mine.signal)
      setVerifying({ state: "done", report, at: Date.now(), tookMs: Date.now() - since })
    } catch (error) {
      if (!mine.signal.aborted) setVerifying({ state: "problem", problem: problemOf(error as Error) })
    }
  }
  const stop = (): void => {
    over.current?.abort()
    setVerifying({ state: "idle" })
  }
  return { verifying, verify: () => void run(), stop }
}
