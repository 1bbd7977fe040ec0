import type { SessionView } from "@byleave/api"
import { sessionDigest, sessionName } from "@byleave/api/page"
import { Button, ShownName } from "@byleave/ui"
import { CircleStop, Gauge, PenLine } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { EndSessionDialog } from "./end-session-dialog.tsx"
import { ModeDialog } from "./mode/mode-dialog.tsx"
import { isOwnSession } from "./own-session.ts"
import { RenameDialog } from "./rename-dialog.tsx"
import look from "./session-controls.module.css"

type Open = "none" | "mode" | "rename" | "end"

/** The controls of a session. Going back to Ask mode is one press: it only takes permissions away. */
export function SessionControls({ session }: { readonly session: SessionView }): ReactNode {
  const [open, setOpen] = useState<Open>("none")
  const back = useAct("setMode")
  const close = (): void => setOpen("none")
  const { principal, id } = session
  const goBack = async () => back.act({ body: { principal, id, mode: "ask", digest: await sessionDigest(session) } })
  const whose = (
    <span className="only-read-aloud">
      {" of "}
      <ShownName text={sessionName(session, session)} />
    </span>
  )
  return (
    <>
      <div className={look.controls}>
        {session.mode !== "ask" && (
          <Button size="small" busy={back.isBusy && "Switching…"} onClick={() => void goBack()}>
            <span>Back to Ask mode{whose}</span>
          </Button>
        )}
        {!isOwnSession(session) && (
          <Button size="small" icon={<Gauge />} onClick={() => setOpen("mode")}>
            <span>Change mode…{whose}</span>
          </Button>
        )}
        <Button size="small" icon={<PenLine />} onClick={() => setOpen("rename")}>
          <span>Rename…{whose}</span>
        </Button>
        {!isOwnSession(session) && (
          <Button size="small" tone="no" icon={<CircleStop />} onClick={() => setOpen("end")}>
            <span>End session…{whose}</span>
          </Button>
        )}
      </div>
      {back.problem !== null && (
        <div className={look.problem}>
          <ProblemNotice problem={back.problem} onClose={back.forget} />
        </div>
      )}
      {open === "mode" && <ModeDialog session={session} onClose={close} />}
      {open === "rename" && <RenameDialog session={session} onClose={close} />}
      {open === "end" && <EndSessionDialog session={session} onClose={close} />}
    </>
  )
}
