import type { ServerView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Mark, Quoted, Sentence, ShownName, ShownText } from "@byleave/ui"
import { pinWords } from "@byleave/ui/definitions"
import type { ReactNode } from "react"
import { sentenceOf } from "../sessions/timeline/timeline-words.ts"
import look from "./server-tools.module.css"
import { accessSource, accessWords, effectWords, type ServerTool, toolsSummary } from "./tool-words.ts"

/** Every tool: what happens to a call of it now and why, whether it reads or writes and who says so, its pin. */
export function ServerTools({ server }: { readonly server: ServerView }): ReactNode {
  if (server.tools.length === 0) {
    return <p className={look.none}>No tools known yet. They are listed once the server first connects.</p>
  }
  return (
    <details className={look.tools}>
      <summary>{toolsSummary(server.tools)}</summary>
      <ul>
        {server.tools.map((tool) => (
          <Tool key={tool.name} tool={tool} server={server} />
        ))}
      </ul>
    </details>
  )
}

function Tool({ tool, server }: { readonly tool: ServerTool; readonly server: ServerView }): ReactNode {
  const now = effectWords[tool.effect]
  const pin = pinWords[tool.pin]
  const said = tool.definition?.description ?? null
  return (
    <li className={look.tool}>
      <code className={look.name}>
        <ShownName text={tool.name} />
      </code>
      <div className={look.marks}>
        <Mark tone={now.tone}>{now.word}</Mark>
        <Mark>{accessWords(tool)}</Mark>
        <Mark tone={pin.tone}>{pin.word}</Mark>
      </div>
      <div className={look.why}>
        <p>
          <Sentence text={sentenceOf(tool.why)} />
        </p>
        <p className="soft">
          {accessWords(tool)}: {accessSource(tool, server.trust)}.
        </p>
        {said !== null && (
          <details className={look.said}>
            <summary>Server's description</summary>
            <Quoted by={`${showText(server.id)} says`}>
              <ShownText text={said} />
            </Quoted>
          </details>
        )}
      </div>
    </li>
  )
}
