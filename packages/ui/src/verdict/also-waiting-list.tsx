import type { ReactNode } from "react"
import { calledText } from "../card/ask-words.ts"
import { Sentence } from "../card/shown-value.tsx"
import { Tick } from "../parts/field.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { type AlsoWaiting, mostAlong } from "./also-waiting.ts"
import look from "./also-waiting-list.module.css"
import { argumentLine } from "./call-line.ts"

/** The calls that wait already and that the rule covers: each is answered along only if it is ticked. */
export function AlsoWaitingList({
  effect,
  also,
  chosen,
  onChoose,
}: {
  readonly effect: "allow" | "deny"
  readonly also: readonly AlsoWaiting[]
  readonly chosen: readonly AlsoWaiting[]
  readonly onChoose: (id: string, isChosen: boolean) => void
}): ReactNode {
  if (also.length === 0) return null
  const isChosen = new Set(chosen.map(({ approval }) => approval.id))
  return (
    <fieldset className={look.also}>
      <legend>{effect === "allow" ? "Also releases" : "Also denies"} calls that wait already</legend>
      <p className={look.words}>
        The rule covers them, but a rule answers only calls to come. Those you tick are answered now as well; the same
        tool in the same session is ticked for you.
      </p>
      {also.length === mostAlong && (
        <p className={look.words}>These are the first {mostAlong}; others go on waiting.</p>
      )}
      <ul>
        {also.map(({ approval, whyNot }) => (
          <li key={approval.id}>
            <Tick
              checked={isChosen.has(approval.id)}
              disabled={whyNot !== null}
              onChange={(event) => onChoose(approval.id, event.target.checked)}
              label={
                <code>
                  <ShownText text={calledText(approval)} />
                </code>
              }
              words={whyNot ?? <Sentence text={argumentLine(approval)} />}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
