import type { SessionView } from "@byleave/api"
import { sessionDigest } from "@byleave/api/page"
import { showText, type ToolRef, toolName } from "@byleave/core"
import { Button, Mark, ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { Row, Rows } from "../places/rows.tsx"
import look from "./session-grants.module.css"

/** `*(*)`: whoever asked was denied so often that nothing more is asked, whatever it is called. */
function isEverything({ server, tool }: ToolRef): boolean {
  return server === "*" && tool === "*"
}

/** Tools that were denied so often here that they are refused without asking, until somebody lifts that. */
export function RefusedTools({ session }: { readonly session: SessionView }): ReactNode {
  const lift = useAct("liftRefusal")
  const { principal, id } = session
  const askAgain = async (tool: ToolRef) =>
    lift.act({ body: { principal, id, tool, digest: await sessionDigest(session) } })
  return (
    <section className={look.grants}>
      <header className={look.head}>
        <h3>Blocked after too many denials</h3>
      </header>
      <ProblemNotice problem={lift.problem} onClose={lift.forget} />
      <Rows label="Blocked tools">
        {session.refused.map((tool) => (
          <Row
            key={toolName(tool)}
            title={
              isEverything(tool) ? (
                "Everything that needs approval"
              ) : (
                <code>
                  <ShownName text={toolName(tool)} />
                </code>
              )
            }
            marks={<Mark tone="no">Blocked</Mark>}
            words="Denied immediately, without asking for approval."
            actions={
              <Button
                size="small"
                disabled={lift.isBusy}
                aria-label={isEverything(tool) ? "Unblock everything" : `Unblock ${showText(toolName(tool))}`}
                onClick={() => void askAgain(tool)}
              >
                Unblock
              </Button>
            }
          />
        ))}
      </Rows>
    </section>
  )
}
