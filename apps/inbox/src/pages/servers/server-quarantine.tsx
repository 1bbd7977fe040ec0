import type { ServerView } from "@byleave/api"
import { Ago, Button, Notice, ShownText } from "@byleave/ui"
import { ShieldAlert } from "lucide-react"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./server-controls.module.css"

/** Puts a server as a whole in quarantine, whoever runs it. */
export function QuarantineServer({ server }: { readonly server: ServerView }): ReactNode {
  const { act, isBusy, problem, forget } = useAct("quarantinePin")
  if (server.quarantined !== null) return null
  return (
    <>
      <Button
        size="small"
        icon={<ShieldAlert />}
        busy={isBusy && "Quarantining…"}
        onClick={() => void act({ body: { server: server.id } })}
      >
        Quarantine
        <span className="only-read-aloud">
          {" "}
          <ShownText text={server.id} />
        </span>
      </Button>
      {problem !== null && (
        <div className={look.problem}>
          <ProblemNotice problem={problem} onClose={forget} />
        </div>
      )}
    </>
  )
}

type ServerInQuarantineProps = {
  readonly server: string
  readonly quarantine: NonNullable<ServerView["quarantined"]>
}

/** That a server is in quarantine as a whole, and the way out. */
export function ServerInQuarantine({ server, quarantine: { by, at } }: ServerInQuarantineProps): ReactNode {
  const { act, isBusy, problem, forget } = useAct("liftPin")
  return (
    <>
      <Notice
        tone="wait"
        title="Quarantined"
        actions={
          <Button size="small" busy={isBusy && "Lifting…"} onClick={() => void act({ body: { server } })}>
            Lift quarantine
          </Button>
        }
      >
        <p>
          <ShownText text={by} /> quarantined this server <Ago at={at} />. It is hidden from agents and all calls are
          denied until the quarantine is lifted.
        </p>
      </Notice>
      <ProblemNotice problem={problem} onClose={forget} />
    </>
  )
}
