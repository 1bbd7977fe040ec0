import { sizeInWords } from "@byleave/core"
import { Button, Sheet } from "@byleave/ui"
import { FileJson, FileSpreadsheet } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { problemOf } from "../../data/use-read.ts"
import look from "./export-trail.module.css"
import { openTarget, saveStream } from "./save-stream.ts"

type Format = "jsonl" | "csv"
type Exporting =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly format: Format; readonly bytes: number }
  | { readonly state: "done"; readonly format: Format; readonly bytes: number }
  | { readonly state: "failed"; readonly why: string }

const types = { jsonl: "application/x-ndjson", csv: "text/csv" } as const satisfies Record<Format, string>

/** Takes the whole trail along as a file. */
export function ExportTrail(): ReactNode {
  const { exporting, start, stop } = useExport()
  const busy = exporting.state === "running" ? exporting.format : null
  return (
    <Sheet title="Export">
      <div className={look.body}>
        <p className="aside">All records, newest first. The CSV is safe to open in a spreadsheet.</p>
        <div className={look.actions}>
          <Button size="small" icon={<FileJson />} disabled={busy !== null} onClick={() => start("jsonl")}>
            Export JSON lines
          </Button>
          <Button size="small" icon={<FileSpreadsheet />} disabled={busy !== null} onClick={() => start("csv")}>
            Export CSV
          </Button>
          {busy !== null && (
            <Button size="small" tone="quiet" onClick={stop}>
              Stop
            </Button>
          )}
        </div>
        <p role="status" className="aside">
          {wordsOf(exporting)}
        </p>
      </div>
    </Sheet>
  )
}

function wordsOf(exporting: Exporting): string {
  switch (exporting.state) {
    case "idle":
      return ""
    case "running":
      return `Exporting: ${sizeInWords(exporting.bytes)} so far.`
    case "done":
      return `Exported ${sizeInWords(exporting.bytes)}.`
    case "failed":
      return exporting.why
  }
}

function useExport(): {
  readonly exporting: Exporting
  readonly start: (format: Format) => void
  readonly stop: () => void
} {
  const client = useClient()
  const [exporting, setExporting] = useState<Exporting>({ state: "idle" })
  const over = useRef<AbortController | null>(null)
  useEffect(() => () => over.current?.abort(), [])
  const run = async (format: Format): Promise<void> => {
    const target = await openTarget(fileName(format), types[format])
    if (target === null) return
    const mine = new AbortController()
    over.current = mine
    setExporting({ state: "running", format, bytes: 0 })
    try {
      const reply = await client.stream("exportAudit", { query: { format }, signal: mine.signal })
      if (!reply.ok) {
        await target.abort()
        return setExporting({ state: "failed", why: reply.problem.detail })
      }
      const bytes = await saveStream(reply.value, target, (so) => setExporting({ state: "running", format, bytes: so }))
      setExporting({ state: "done", format, bytes })
    } catch (error) {
      setExporting(mine.signal.aborted ? { state: "idle" } : { state: "failed", why: problemOf(error as Error).detail })
    }
  }
  return { exporting, start: (format) => void run(format), stop: () => over.current?.abort() }
}

function fileName(format: Format): string {
  return `byleave-audit-${new Date().toISOString().slice(0, 10)}.${format}`
}
