import { Ago, calledText, Mark, Sentence, ShownName, statusWords } from "@byleave/ui"
import type { ReactNode } from "react"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import look from "./places.module.css"
import { useLive } from "./use-live.ts"

const most = 100

/** The calls that somebody was asked about and what became of them, newest first. */
export function PastDecisions({ backend }: { readonly backend: PanelBackend }): ReactNode {
  const asked = useLive(
    backend,
    async () => (await answerIn(backend.client.listApprovals({ query: { principal: "chat", limit: most } }))).items,
    { key: "past", isStale: ({ type }) => type.startsWith("approval.") },
  )
  if (asked.state !== "ready") return null
  const settled = asked.value
    .flatMap((approval) => {
      const words = statusWords(approval)
      return words === null ? [] : [{ approval, words }]
    })
    .toSorted((one, other) => other.words.at - one.words.at)
  if (settled.length === 0) return null
  return (
    <section className={look.group} aria-label="Past decisions">
      <div>
        <h3>Past decisions</h3>
        <p className="aside">Calls that ran without asking stand in their threads.</p>
      </div>
      <ul className={look.rows}>
        {settled.map(({ approval, words }) => (
          <li key={approval.id} className={look.row}>
            <div className={look.said}>
              <p>
                <code>
                  <ShownName text={calledText(approval)} />
                </code>
              </p>
              <p className="aside">
                <Sentence text={words.sentence} /> <Ago at={words.at} />
              </p>
            </div>
            <Mark tone={words.tone}>{words.stamp}</Mark>
          </li>
        ))}
      </ul>
    </section>
  )
}
