import type { SessionView } from "@byleave/api"
import { Button } from "@byleave/ui"
import { CircleStop, Gauge, PenLine } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { EndSessionDialog } from "./end-session-dialog.tsx"
import { ModeDialog } from "./mode-dialog.tsx"
import { RenameDialog } from "./rename-dialog.tsx"
import look from "./session-controls.module.css"

type Open = "none" | "mode" | "rename" | "end"

/** What can be done to a session. Back to asking is one press: it takes, and gives nothing. */
export function SessionControls({ session }: { readonly session: SessionView }): ReactNode {
  const [open, setOpen] = useState<Open>("none")
  const back = useAct("setMode")
  const close = (): void => setOpen("none")
  const { principal, id } = session
  return (
    <>
      <div className={look.controls}>
        {session.mode !== "ask" && (
          <Button
            size="small"
            busy={back.isBusy && "Going back…"}
            onClick={() => void back.act({ body: { principal, id, mode: "ask" } })}
          >
            Back to asking
          </Button>
        )}
        <Button size="small" icon={<Gauge />} onClick={() => setOpen("mode")}>
          Change mode…
        </Button>
        <Button size="small" icon={<PenLine />} onClick={() => setOpen("rename")}>
          Rename…
        </Button>
        <Button size="small" tone="no" icon={<CircleStop />} onClick={() => setOpen("end")}>
          End session…
        </Button>
      </div>
      <ProblemNotice problem={back.problem} onClose={back.forget} />
      {open === "mode" && <ModeDialog session={session} onClose={close} />}
      {open === "rename" && <RenameDialog session={session} onClose={close} />}
      {open === "end" && <EndSessionDialog session={session} onClose={close} />}
    </>
  )
}
