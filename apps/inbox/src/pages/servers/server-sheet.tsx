import type { GrantView, PinView, ServerView } from "@byleave/api"
import { Mark, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { useId } from "react"
import { AcceptDefinitions } from "./accept-definitions.tsx"
import { healthMark } from "./health-words.ts"
import { ServerControls } from "./server-controls.tsx"
import { ServerFacts } from "./server-facts.tsx"
import { ServerModeLine } from "./server-mode-line.tsx"
import look from "./server-sheet.module.css"
import { ServerTools } from "./server-tools.tsx"
import { WaitingCallsLink } from "./waiting-calls-link.tsx"

type ServerSheetProps = {
  readonly server: ServerView
  /** Definitions of this server that nobody has accepted. */
  readonly waiting: readonly PinView[]
  readonly grants: readonly GrantView[] | null
}

/** One server: how it fares, what it is, what happens to its calls, what it wants accepted, its tools. */
export function ServerSheet({ server, waiting, grants }: ServerSheetProps): ReactNode {
  const title = useId()
  const { word, tone } = healthMark(server)
  return (
    <section className={look.sheet} aria-labelledby={title}>
      <header className={look.head}>
        <h2 id={title} className={look.name}>
          <ShownText text={server.id} />
        </h2>
        <Mark tone={tone}>{word}</Mark>
        {waiting.length > 0 && (
          <Mark tone="wait">
            {waiting.length === 1 ? "1 definition to accept" : `${waiting.length} definitions to accept`}
          </Mark>
        )}
        <WaitingCallsLink server={server.id} />
        {server.transport !== "program" && <ServerControls server={server} />}
      </header>
      <div className={look.body}>
        <ServerFacts server={server} />
        {grants !== null && <ServerModeLine server={server} grants={grants} />}
      </div>
      {waiting.length > 0 && <AcceptDefinitions server={server.id} pins={waiting} />}
      <ServerTools server={server} />
    </section>
  )
}
