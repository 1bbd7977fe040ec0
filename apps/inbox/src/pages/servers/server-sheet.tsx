import type { GrantView, PinView, ServerView } from "@byleave/api"
import { Mark, ShownText } from "@byleave/ui"
import { type ReactNode, useId } from "react"
import { AcceptDefinitions, isWaiting } from "./accept-definitions.tsx"
import { healthMark } from "./health-words.ts"
import { ServerControls } from "./server-controls.tsx"
import { ServerFacts } from "./server-facts.tsx"
import { ServerModeLine } from "./server-mode-line.tsx"
import { QuarantineServer, ServerInQuarantine } from "./server-quarantine.tsx"
import look from "./server-sheet.module.css"
import { ServerTools } from "./server-tools.tsx"
import { WaitingCallsLink } from "./waiting-calls-link.tsx"

type ServerSheetProps = {
  readonly server: ServerView
  /** Definitions of this server that nobody has accepted, or that somebody rejected or put in quarantine. */
  readonly open: readonly PinView[]
  readonly grants: readonly GrantView[] | null
}

/** One server: how it fares, what it is, what happens to its calls, what it wants accepted, its tools. */
export function ServerSheet({ server, open, grants }: ServerSheetProps): ReactNode {
  const title = useId()
  const { word, tone } = healthMark(server)
  const waiting = open.filter(isWaiting)
  // Of the server itself there is more to see than its instructions.
  const definitions = open.filter((pin) => pin.of === "tool" || pin.proposed !== null)
  return (
    <section className={look.sheet} aria-labelledby={title}>
      <header className={look.head}>
        <h2 id={title} className={look.name}>
          <ShownText text={server.id} />
        </h2>
        <Mark tone={tone}>{word}</Mark>
        {waiting.length > 0 && (
          <Mark tone="wait">
            {waiting.length === 1 ? "1 definition to review" : `${waiting.length} definitions to review`}
          </Mark>
        )}
        <WaitingCallsLink server={server.id} />
        <div className={look.controls}>
          {server.transport !== "program" && <ServerControls server={server} />}
          <QuarantineServer server={server} />
        </div>
      </header>
      {server.quarantined !== null && (
        <div className={look.notice}>
          <ServerInQuarantine server={server.id} quarantine={server.quarantined} />
        </div>
      )}
      <div className={look.body}>
        <ServerFacts server={server} />
        {grants !== null && <ServerModeLine server={server} grants={grants} />}
      </div>
      {definitions.length > 0 && <AcceptDefinitions pins={definitions} />}
      <ServerTools server={server} />
    </section>
  )
}
