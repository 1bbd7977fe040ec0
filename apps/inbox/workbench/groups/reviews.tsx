import type { ApprovalView, CurrentContentView } from "@byleave/api"
import {
  ChangeTreeView,
  changeTree,
  DiffTools,
  DiffView,
  type FileComment,
  PastChanges,
  type ReviewAnswer,
  type ReviewedFile,
  ReviewPanel,
  readCall,
  useChangeSteps,
} from "@byleave/ui"
import { type ReactNode, useMemo, useRef, useState } from "react"
import { fileAfter, fileBefore, heldCall, now, pendingCall, ranTimes } from "../calls.ts"
import { nothing } from "../card-of.tsx"
import type { ExampleGroup } from "../example.ts"

const path = "/home/me/main.ts"
const current: CurrentContentView = {
  kind: "text",
  path,
  text: fileBefore,
  by: { server: "files", tool: "read_text_file" },
}
const loadCurrent = async () => current
const changing = pendingCall({ args: { path, content: fileAfter } })

type PanelProps = { readonly call?: ApprovalView; readonly whyNot?: string; readonly isShared?: boolean }

function Panel({ call = changing, whyNot, isShared = false }: PanelProps): ReactNode {
  const [answer, setAnswer] = useState<ReviewAnswer | null>(null)
  const [comments, setComments] = useState<ReadonlyMap<string, FileComment>>(new Map())
  const read = useMemo(() => readCall(call), [call])
  const [reason, setReason] = useState("")
  return (
    <ReviewPanel
      call={call}
      changes={read.changes}
      isTooLong={read.isTooLong}
      shownAs={read.key}
      answer={answer}
      whyNot={whyNot ?? null}
      isDrawn={true}
      isShared={isShared}
      comments={comments}
      reason={reason}
      loadCurrent={loadCurrent}
      onAnswer={setAnswer}
      onComments={setComments}
      onReason={setReason}
      onRevealed={nothing}
      onDrawn={nothing}
      onCounts={nothing}
      card={<a href="#review-panel">Open its card</a>}
    />
  )
}

const reviewedFile = (name: string, changes: Partial<ReviewedFile>): ReviewedFile => ({
  key: name,
  path: name,
  counts: { added: 3, removed: 1 },
  state: "open",
  risk: "none",
  comments: 0,
  callId: name,
  ...changes,
})

const files = [
  reviewedFile("src/pages/waiting/list.ts", {}),
  reviewedFile("src/pages/waiting/page.ts", { state: "allow", comments: 2 }),
  reviewedFile("src/main.ts", { state: "deny", risk: "notice" }),
  reviewedFile("README.md", { state: "allowed", counts: null }),
  reviewedFile("/etc/hosts", { state: "denied", risk: "strong" }),
  reviewedFile("old.txt", { state: "gone" }),
]

function Steps(): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const steps = useChangeSteps(place, false)
  return (
    <div ref={place}>
      <DiffTools steps={steps} />
      <DiffView before={fileBefore} after={fileAfter} label="main.ts before and after" />
    </div>
  )
}

const settled: ApprovalView = {
  ...heldCall({ args: { path, content: fileAfter } }),
  ...ranTimes,
  settledAt: now,
  status: "succeeded",
  delivered: true,
  result: { content: [] },
}

export const reviews: ExampleGroup = {
  title: "Reviews and differences",
  examples: [
    { id: "review-panel", title: "panel of a review", Draw: () => <Panel /> },
    {
      id: "review-panel-barred",
      title: "panel that cannot be allowed",
      Draw: () => <Panel whyNot="It contains an unrevealed secret. Open it to review." isShared />,
    },
    { id: "review-panel-settled", title: "panel of a call that ran", Draw: () => <Panel call={settled} /> },
    {
      id: "review-tree",
      title: "tree of changed files",
      Draw: () => <ChangeTreeView tree={changeTree(files)} at="src/main.ts" onGo={nothing} />,
    },
    { id: "diff-tools", title: "difference with its buttons", Draw: Steps },
    {
      id: "diff-same",
      title: "texts that do not differ",
      Draw: () => <DiffView before={fileBefore} after={fileBefore} label="No difference" />,
    },
    {
      id: "past-changes",
      title: "changes of a past call",
      Draw: () => <PastChanges tool="write_file" args={{ path, content: fileAfter }} isPending={false} />,
    },
  ],
}
