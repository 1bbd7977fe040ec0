import type { RunView } from "@byleave/api"
import { Ago, Button, Notice, Sentence, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"

/** Why a run is over, and what can be done about it; nothing while it goes on or where it finished. */
export function RunNotice({ run }: { readonly run: RunView }): ReactNode {
  const retry = useAct("continueRun")
  if (run.status === "failed") {
    return (
      <>
        <Failed
          run={run}
          isBusy={retry.isBusy}
          onRetry={() => void retry.act({ params: { id: run.id }, query: { wait: 0 }, body: {} })}
        />
        <ProblemNotice problem={retry.problem} onClose={retry.forget} />
      </>
    )
  }
  return run.status === "cancelled" ? <Cancelled run={run} /> : null
}

type Of<Status extends RunView["status"]> = Extract<RunView, { readonly status: Status }>

type FailedProps = { readonly run: Of<"failed">; readonly isBusy: boolean; readonly onRetry: () => void }

/** The failure in our words; a provider's words in it are quoted and marked already. */
export function Failed({ run, isBusy, onRetry }: FailedProps): ReactNode {
  return (
    <Notice
      tone={run.stoppedBy === null ? "no" : "know"}
      title={
        run.stoppedBy !== null
          ? "The run was stopped"
          : run.retryable
            ? "The run failed and can be continued"
            : "The run failed"
      }
      actions={
        run.retryable ? (
          <Button busy={isBusy && "Continuing…"} onClick={onRetry}>
            Continue the run
          </Button>
        ) : undefined
      }
    >
      <p>
        <Sentence text={run.detail.slice(0, longest)} />
      </p>
      <p>
        {run.retryable
          ? "Nothing is lost: calls that ran do not run again, and answers the model gave are kept."
          : "Trying again would not help. Change what went wrong, then send the run a message to let it continue."}
      </p>
    </Notice>
  )
}

const longest = 2_000

export function Cancelled({ run }: { readonly run: Of<"cancelled"> }): ReactNode {
  if (run.wasExported) {
    return (
      <Notice tone="know" title="This run was exported">
        <p>
          It ended here <Ago at={run.endedAt} />, and continues wherever its state is imported. What it said and did
          until then stays below.
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="know" title="This run was cancelled">
      <p>
        {run.by !== null && (
          <>
            By <ShownText text={run.by} />,{" "}
          </>
        )}
        <Ago at={run.endedAt} />. Calls that waited were withdrawn; calls that ran are not undone.
      </p>
    </Notice>
  )
}
