import type { GrantView, ServerView } from "@byleave/api"
import { Button, Left, Mark, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { serverModeNow, serverModeWords } from "./server-mode.ts"
import { ServerModeDialog } from "./server-mode-dialog.tsx"
import look from "./server-mode-line.module.css"

const toneOf = { ask: "plain", "never-ask": "wait", refuse: "no" } as const

type ServerModeLineProps = { readonly server: ServerView; readonly grants: readonly GrantView[] }

/** The general answer to this server's calls, and the way to change it. */
export function ServerModeLine({ server, grants }: ServerModeLineProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const now = serverModeNow(grants, server.id)
  const words = serverModeWords[now.mode]
  return (
    <div className={look.mode} data-mode={now.mode}>
      <p className={look.title}>
        Calls to this server <Mark tone={toneOf[now.mode]}>{words.label}</Mark>
        {now.until !== null && <Left until={now.until} />}
      </p>
      <p className="aside">{words.sentence}</p>
      {now.others > 0 && (
        <p className="aside">
          {now.others === 1 ? "1 other permission" : `${now.others} other permissions`} for this server under{" "}
          <Link to="/permissions" search={{ server: server.id }}>
            Permissions
          </Link>
          .
        </p>
      )}
      <Button size="small" onClick={() => setOpen(true)}>
        <span>
          Change…
          <span className="only-read-aloud">
            {" how calls are handled for "}
            <ShownText text={server.id} />
          </span>
        </span>
      </Button>
      {isOpen && <ServerModeDialog server={server} now={now} onClose={() => setOpen(false)} />}
    </div>
  )
}
