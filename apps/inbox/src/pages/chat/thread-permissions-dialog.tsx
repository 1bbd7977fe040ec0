import type { GrantView, RunView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { serves, starterName } from "@byleave/core"
import { modeSentence } from "@byleave/ui"
import { ThreadPermissions } from "@byleave/ui/chat"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { RefusedTools } from "../sessions/refused-tools.tsx"

type ThreadPermissionsDialogProps = { readonly run: RunView; readonly onClose: () => void }

/** The permissions by which calls of a thread run unasked, read from the service. */
export function ThreadPermissionsDialog({ run, onClose }: ThreadPermissionsDialogProps): ReactNode {
  const servers = useRead("listServers")
  const grants = useRead("listGrants")
  const session = useSessionsOf([run.sessionKey]).get(run.sessionKey)
  const mode = session?.mode ?? "ask"
  const revoke = useAct("revokeGrant")
  const [revoking, setRevoking] = useState<string | null>(null)
  const forget = async (grant: GrantView): Promise<void> => {
    setRevoking(grant.id)
    await revoke.act({ params: { id: grant.id }, body: { digest: await grantsDigest([grant]) } })
    setRevoking(null)
  }
  return (
    <ThreadPermissions
      servers={servers.state === "ready" ? servers.value.items.filter(({ id }) => run.servers.includes(id)) : []}
      grants={grants.state === "ready" ? grants.value.items.filter((grant) => mayRunBy(grant, run)) : []}
      mode={mode === "ask" ? null : modeSentence(mode)}
      revoking={revoking}
      onRevoke={(grant) => void forget(grant)}
      onClose={onClose}
    >
      {session !== undefined && session.refused.length > 0 && <RefusedTools session={session} />}
      <ProblemNotice problem={revoke.problem} onClose={revoke.forget} />
      <p>
        <Link to={"/sessions/$id" as never} params={{ id: run.sessionKey } as never}>
          This thread as a session
        </Link>
        , with its mode and its calls. <Link to={"/permissions" as never}>All permissions</Link>
      </p>
    </ThreadPermissions>
  )
}

/** Whether a call of the thread may run by it. */
function mayRunBy(grant: GrantView, { id, principal, startedBy }: RunView): boolean {
  return grant.effect === "allow" && serves(grant, { session: { principal, id }, starter: starterName(startedBy) })
}
