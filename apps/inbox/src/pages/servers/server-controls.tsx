import type { ServerView } from "@byleave/api"
import { Button, ShownText } from "@byleave/ui"
import { CircleStop, Play, RotateCw } from "lucide-react"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./server-controls.module.css"

/** Start, stop, reconnect. What became of it is read from the server afterwards, never assumed. */
export function ServerControls({ server }: { readonly server: ServerView }): ReactNode {
  const start = useAct("startServer")
  const stop = useAct("stopServer")
  const restart = useAct("restartServer")
  const input = { params: { id: server.id } }
  const isBusy = start.isBusy || stop.isBusy || restart.isBusy
  const forget = (): void => {
    for (const act of [start, stop, restart]) act.forget()
  }
  const name = (
    <span className="only-read-aloud">
      {" "}
      <ShownText text={server.id} />
    </span>
  )
  return (
    <>
      <div className={look.controls}>
        {server.stopped ? (
          <Button size="small" icon={<Play />} busy={start.isBusy && "Starting…"} onClick={() => void start.act(input)}>
            Start{name}
          </Button>
        ) : (
          <>
            <Button
              size="small"
              icon={<RotateCw />}
              busy={restart.isBusy && "Reconnecting…"}
              disabled={isBusy}
              onClick={() => void reconnect(restart.act, start.act, input)}
            >
              Reconnect{name}
            </Button>
            <Button
              size="small"
              icon={<CircleStop />}
              busy={stop.isBusy && "Stopping…"}
              disabled={isBusy}
              onClick={() => void stop.act(input)}
            >
              Stop{name}
            </Button>
          </>
        )}
      </div>
      {[start, stop, restart].map(
        ({ problem }) =>
          problem !== null && (
            <div key={problem.detail} className={look.problem}>
              <ProblemNotice problem={problem} onClose={forget} />
            </div>
          ),
      )}
    </>
  )
}

type Done = Promise<{ readonly ok: boolean }>
type ById = { readonly params: { readonly id: string } }

/** A person who reconnects wants to see whether it works, not that the next call will tell. */
async function reconnect(end: (input: ById) => Done, begin: (input: ById) => Done, input: ById): Promise<void> {
  if ((await end(input)).ok) await begin(input)
}
