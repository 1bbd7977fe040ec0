import { Quoted, Sentence, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { RawRecord } from "../audit/raw-record.tsx"
import { SentenceText } from "../audit/sentence.tsx"
import timeline from "../places/timeline.module.css"
import { clockTime, dayInWords } from "./merge-newest.ts"
import type { StoryEntry } from "./story-entries.ts"
import look from "./story-line.module.css"

/** The story of a call, from its first record to its present state. */
export function StoryLine({ entries }: { readonly entries: readonly StoryEntry[] }): ReactNode {
  return (
    <ol className={look.line}>
      {entries.map((entry) => (
        <li key={entry.key} className={timeline.entry} data-tone={entry.tone}>
          <p className={timeline.time}>
            {entry.at === null ? (
              "Now"
            ) : (
              <time dateTime={new Date(entry.at).toISOString()} title={dayInWords(entry.at)}>
                {clockTime(entry.at)}
              </time>
            )}
          </p>
          <div className={timeline.told}>
            <p>
              <SentenceText sentence={entry.sentence} />
            </p>
            {entry.reason !== null && <Reason reason={entry.reason} />}
            {entry.record !== null && <RawRecord record={entry.record} />}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Reason({ reason: { text, by } }: { readonly reason: NonNullable<StoryEntry["reason"]> }): ReactNode {
  if (by !== null) {
    return (
      <Quoted by={`${by} said`}>
        <ShownText text={text} />
      </Quoted>
    )
  }
  return (
    <p className="soft">
      <Sentence text={text} />
    </p>
  )
}
