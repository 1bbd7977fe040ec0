import { Choice, Empty, Loading, Notice, Page, Sheet } from "@byleave/ui"
import { useRouter, useSearch } from "@tanstack/react-router"
import { Archive } from "lucide-react"
import { type ReactNode, useRef } from "react"
import { MoreBelow } from "../activity/more-below.tsx"
import { useInView } from "../activity/use-in-view.ts"
import { useNewestFirst } from "../activity/use-newest-first.ts"
import { ReadProblem } from "../places/reading.tsx"
import look from "./audit-page.module.css"
import { ExportTrail } from "./export-trail.tsx"
import { recordKinds, typesOf } from "./record-kinds.ts"
import { RecordList } from "./record-list.tsx"
import { VerifyTrail } from "./verify-trail.tsx"

/** Everything that was recorded, with its verification and its export. */
export function AuditPage(): ReactNode {
  return (
    <Page
      title="Audit"
      lead="A tamper-evident log of everything that happened. Each record carries the hash of the one before it, so any change or removal can be detected."
    >
      <div className={look.tools}>
        <VerifyTrail />
        <ExportTrail />
      </div>
      <Records />
    </Page>
  )
}

const kinds = [{ value: "", label: "Everything" }, ...recordKinds.map(({ value, label }) => ({ value, label }))]

function Records(): ReactNode {
  const router = useRouter()
  const { kind = "" } = useSearch({ strict: false }) as { readonly kind?: string }
  const types = typesOf(kind)?.join(",")
  const top = useRef<HTMLDivElement>(null)
  const isAtTop = useInView(top)
  const records = useNewestFirst({
    name: "listAudit",
    query: types === undefined ? {} : { types },
    keyOf: (record) => `${record.writer}/${record.seq}`,
    isAtTop,
  })
  const choose = (next: string): void =>
    void router.navigate({ to: "/audit", search: (next === "" ? {} : { kind: next }) as never, replace: true })
  return (
    <>
      <div ref={top} className={look.filter}>
        <Choice
          label="Show"
          options={kinds}
          value={typesOf(kind) === undefined ? "" : kind}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </div>
      <Sheet label="Records">
        {records.state === "loading" && <Loading label="Loading records" lines={8} />}
        {records.state === "problem" && <ReadProblem problem={records.problem} again={records.again} />}
        {records.state === "ready" && records.problem !== null && <Notice tone="wait">{records.problem.detail}</Notice>}
        {records.state === "ready" && records.items.length === 0 && (
          <Empty icon={<Archive />} title="No matches">
            No records of this kind yet.
          </Empty>
        )}
        {records.state === "ready" && records.items.length > 0 && <RecordList records={records.items} />}
        {records.state === "ready" && records.hasMore && (
          <MoreBelow what="older records" isReading={records.isReadingMore} onMore={records.readMore} />
        )}
      </Sheet>
    </>
  )
}
