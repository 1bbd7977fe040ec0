import type { ApprovalView, ServerView } from "@byleave/api"
import { scopeOfAnswer } from "@byleave/core"
import { Button, RememberDialog, rememberSettled, type VerdictState } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useUndoGrant } from "../../data/use-undo-grant.ts"
import { useToast } from "../../shell/toast.tsx"

type StoryRememberProps = { readonly approval: ApprovalView; readonly server: ServerView | null }

/** Saves a permission for calls like one that is over. */
export function StoryRemember({ approval, server }: StoryRememberProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const adding = useAct("addGrant")
  const undo = useUndoGrant()
  const say = useToast()
  const first = rememberSettled(approval, server)
  if (first === null) return null
  return (
    <p>
      <Button
        onClick={() => {
          adding.forget()
          setOpen(true)
        }}
      >
        Always allow calls like this…
      </Button>
      {isOpen && (
        <RememberDialog
          approval={approval}
          server={server}
          alsoWaiting={[]}
          first={first}
          isOver={true}
          verdict={stateOf(adding)}
          onClose={() => setOpen(false)}
          onSend={async ({ remember }) => {
            if (remember?.breadth === undefined) return
            const { scope, breadth, alsoSettles: _, ...lasting } = remember
            const { session, ...whom } = scopeOfAnswer(scope, approval)
            const inSession = session === undefined ? {} : { session: { principal: session.principal, id: session.id } }
            const reply = await adding.act({ body: { effect: "allow", breadth, ...inSession, ...whom, ...lasting } })
            if (!reply.ok) return
            setOpen(false)
            const grant = reply.value
            say({ title: "Permission saved", words: `${grant.words}.`, undo: () => undo(grant) })
          }}
        />
      )}
    </p>
  )
}

function stateOf({ isBusy, problem }: Pick<ReturnType<typeof useAct<"addGrant">>, "isBusy" | "problem">): VerdictState {
  if (isBusy) return { state: "sending", kind: "approve" }
  return problem === null ? { state: "none" } : { state: "refused", why: problem.detail, code: problem.code }
}
