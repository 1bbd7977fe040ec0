import type { RunDetailsView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Empty, Page, quotedWords, Sheet, ShownName } from "@byleave/ui"
import { Link, useParams } from "@tanstack/react-router"
import { Ghost } from "lucide-react"
import type { ReactNode } from "react"
import { useLiveLeg } from "../../data/use-live-leg.ts"
import { useRead } from "../../data/use-read.ts"
import { useRunApprovals } from "../../data/use-run-approvals.ts"
import { Reading } from "../places/reading.tsx"
import { RunAbout } from "./run-about.tsx"
import { RunControls } from "./run-controls.tsx"
import { shortTitle, starterInWords } from "./run-facts.ts"
import { RunNotice } from "./run-notice.tsx"
import look from "./run-page.module.css"
import { StorySheet } from "./story-sheet.tsx"
import { WaitingOfRun } from "./waiting-of-run.tsx"

/** One agent run: how it stands, what it waits for, and everything that was said and done in it. */
export function RunPage(): ReactNode {
  const { id = "" } = useParams({ strict: false }) as { readonly id?: string }
  const details = useRead("getRun", { params: { id } })
  const isGone = details.state === "problem" && details.problem.code === "not-found"
  const run = details.state === "ready" ? details.value.run : null
  return (
    <Page
      title={run === null ? "Run" : showText(quotedWords(shortTitle(run.title), 100))}
      lead={
        <>
          {run !== null && (
            <>
              An agent run started by <ShownName text={starterInWords(run.startedBy)} />.{" "}
            </>
          )}
          <Link to="/runs">All runs</Link>
        </>
      }
      actions={run === null ? undefined : <RunControls run={run} />}
    >
      {isGone ? (
        <UnknownRun />
      ) : (
        <Reading of={details} label="Loading run" lines={6}>
          {(value) => <RunBody key={id} details={value} />}
        </Reading>
      )}
    </Page>
  )
}

function UnknownRun(): ReactNode {
  return (
    <Sheet label="Unknown run">
      <Empty icon={<Ghost />} title="Run not found">
        <p>It was deleted, or the link is wrong. Calls it made stay in Activity and in the audit trail.</p>
        <Link to="/activity" search={{ principal: "run" } as never}>
          Show calls of runs
        </Link>
      </Empty>
    </Sheet>
  )
}

function RunBody({ details }: { readonly details: RunDetailsView }): ReactNode {
  const { run } = details
  const approvals = useRunApprovals(run)
  const live = useLiveLeg(run.id, run.status === "running")
  return (
    <>
      <RunNotice run={run} />
      {run.status === "paused" && <WaitingOfRun details={details} approvals={approvals} />}
      <div className={look.columns}>
        <RunAbout run={run} live={live} />
        <StorySheet run={run} live={live} approvals={approvals} />
      </div>
    </>
  )
}
