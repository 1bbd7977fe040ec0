import { type ReactNode, useState } from "react"
import { Tick } from "../../parts/field.tsx"
import { TheirName } from "../../parts/their-words.tsx"
import { AnswerButton } from "./answer-button.tsx"
import type { Answering } from "./answer-menus.ts"
import look from "./auto-approve.module.css"

type AutoApproveProps = Pick<Answering, "approval" | "onAllowFor"> & {
  readonly isOff: boolean
  readonly isSending: boolean
}

/** Allows all tools of the call's server for the rest of the thread, behind one click more than allowing the call. */
export function AutoApprove({ approval, isOff, isSending, onAllowFor }: AutoApproveProps): ReactNode {
  const [isWanted, setWanted] = useState(false)
  const { server } = approval.tool
  return (
    <div className={look.auto}>
      <Tick
        label={
          <>
            Auto-approve all tools of <TheirName text={server} /> in this thread
          </>
        }
        checked={isWanted}
        onChange={(event) => setWanted(event.currentTarget.checked)}
      />
      {isWanted && (
        <>
          <p className="aside">
            Its calls run without asking you, until you switch threads or turn it off under Permissions.
          </p>
          <AnswerButton
            label="Allow and auto-approve"
            busy={isSending && "Allowing…"}
            disabled={isOff}
            onClick={() => onAllowFor({ scope: "session", breadth: { kind: "server", server, access: "all" } })}
          />
        </>
      )}
    </div>
  )
}
