import type { ApprovalView } from "@byleave/api"
import { ApprovalCard, type CardActions, Notice, type VerdictState } from "@byleave/ui"
import { Link, useRouter } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { asShown } from "../../data/as-shown.ts"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import { useUndo } from "../../data/use-undo.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { StoryRemember } from "./story-remember.tsx"

/** The held call as its reviewers saw it. What still waits is decided where everything waits, not here. */
export function StoryCard({ approval }: { readonly approval: ApprovalView }): ReactNode {
  const servers = useRead("listServers")
  const session = useSessionsOf([approval.sessionKey]).get(approval.sessionKey) ?? null
  const { actions, problem } = useStoryActions()
  if (approval.status === "pending") return <StillWaiting id={approval.id} />
  const server =
    servers.state === "ready" ? servers.value.items.find(({ id }) => id === approval.tool.server) : undefined
  return (
    <>
      {problem}
      <ApprovalCard
        approval={approval}
        server={server ?? null}
        session={session}
        pin={null}
        current={null}
        alsoWaiting={[]}
        verdict={noVerdict}
        actions={actions}
        isFresh={false}
        hasKeys={false}
      />
      <StoryRemember approval={approval} server={server ?? null} />
    </>
  )
}

function StillWaiting({ id }: { readonly id: string }): ReactNode {
  return (
    <Notice tone="wait" title="Waiting for a decision.">
      <Link to="/" search={{ open: id } as never}>
        Review call
      </Link>
    </Notice>
  )
}

type StoryActions = { readonly actions: CardActions; readonly problem: ReactNode }

const noVerdict: VerdictState = { state: "none" }

function useStoryActions(): StoryActions {
  const router = useRouter()
  const rerun = useAct("rerunApproval")
  const revoke = useAct("revokeApproval")
  const runNow = useAct("runApprovalNow")
  const goTo = (id: string) => router.navigate({ to: "/activity/$id", params: { id } } as never)
  const undo = useUndo((id) => void goTo(id))
  const runAnew = async (approval: ApprovalView): Promise<void> => {
    const reply = await rerun.act(asShown(approval))
    if (reply.ok) await goTo(reply.value.approval.id)
  }
  const actions: CardActions = {
    onRevoke: ({ id }) => void revoke.act({ params: { id } }),
    onRunNow: (approval) => void runNow.act(asShown(approval)),
    loadUndo: undo.loadUndo,
    onPutBack: undo.onPutBack,
    onRerun: (approval) => void runAnew(approval),
    onFollow: (href) => void router.navigate({ href }),
    // Of calls that wait, which are not shown here.
    onVerdict: () => undefined,
    onTakeBack: () => undefined,
    onExtend: () => undefined,
    onAccept: () => undefined,
    busyWith: rerun.isBusy ? "rerun" : revoke.isBusy ? "revoke" : runNow.isBusy ? "run-now" : null,
  }
  const failed = [revoke, runNow, undo.act].find(({ problem }) => problem !== null) ?? rerun
  return { actions, problem: <ProblemNotice problem={failed.problem} onClose={failed.forget} /> }
}
