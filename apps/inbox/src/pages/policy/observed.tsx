import type { ObservedView, ProposedRuleView } from "@byleave/api"
import { coverWords, remainingWords } from "@byleave/api/page"
import { toolName } from "@byleave/core"
import { Button, countOf, Sentence, ShownText } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useEffect, useRef } from "react"
import { useRead } from "../../data/use-read.ts"
import { EffectMark } from "../permissions/tools/effect-mark.tsx"
import { withoutVerb } from "../permissions/without-verb.ts"
import look from "./suggestions.module.css"
import type { OnPut } from "./suggestions.tsx"

/** The page's place for the report, as links name it. */
const observedPlace = "observed"

/** The report of sessions in observe mode, with rules to consider. Nobody answered these calls, and nothing here says otherwise. */
export function Observed({ onPut }: { readonly onPut: OnPut }): ReactNode {
  const read = useRead("observedCalls")
  if (read.state !== "ready" || read.value.wouldAsk === 0) return null
  return <ObservedReport report={read.value} onPut={onPut} />
}

type ReportProps = { readonly report: ObservedView; readonly onPut: OnPut }

function ObservedReport({ report, onPut }: ReportProps): ReactNode {
  const place = useRef<HTMLElement>(null)
  // It is read after the page is there, so whoever followed a link to it is brought to it now.
  useEffect(() => {
    if (location.hash === `#${observedPlace}`) place.current?.scrollIntoView()
  }, [])
  const { tools, agents, days, rules, wouldAsk, isCut } = report
  return (
    <section ref={place} id={observedPlace} className={look.box} aria-label="Observe report">
      <div className={look.lead}>
        <h2 className={look.title}>What observe mode would have asked</h2>
        <p>{`In the last seven days ${isCut ? "at least " : ""}${countOf(wouldAsk, "call")} ran in observe mode that would have needed approval.`}</p>
        <Counts name="Tools" counts={tools.map(({ tool, calls }) => [toolName(tool), calls])} />
        <Counts name="Agents" counts={agents.map(({ agent, calls }) => [agent, calls])} />
        <Counts name="Days" counts={days.map(({ day, calls }) => [new Date(day).toISOString().slice(0, 10), calls])} />
        <p>{remainingWords(report)}</p>
        {rules.length > 0 && (
          <p>
            Nobody was asked about these calls. Check what each rule allows; nothing takes effect until you save it.
          </p>
        )}
      </div>
      {rules.length > 0 && (
        <ul className={look.list}>
          {rules.map((rule) => (
            <Proposed key={rule.id} proposed={rule} onPut={onPut} />
          ))}
        </ul>
      )}
    </section>
  )
}

const mostCounts = 6

type CountsProps = { readonly name: string; readonly counts: ReadonlyArray<readonly [what: string, calls: number]> }

function Counts({ name, counts }: CountsProps): ReactNode {
  return (
    <p>
      {name}:{" "}
      {counts.slice(0, mostCounts).map(([what, calls], at) => (
        <span key={what}>
          {at > 0 && ", "}
          <code>
            <ShownText text={what} />
          </code>{" "}
          ({calls})
        </span>
      ))}
      {counts.length > mostCounts && ` and ${counts.length - mostCounts} more`}
    </p>
  )
}

/** More links to calls than these help nobody to judge a rule. */
const mostLinks = 20

type ProposedProps = { readonly proposed: ProposedRuleView; readonly onPut: OnPut }

function Proposed({ proposed, onPut }: ProposedProps): ReactNode {
  const { rule, words, covers, replaces } = proposed
  return (
    <li className={look.suggestion}>
      <p className={look.words}>
        <EffectMark effect="allow" of="rule" /> <Sentence text={withoutVerb(words)} />
      </p>
      <pre className={look.rule}>
        <code>
          <ShownText text={rule} />
        </code>
      </pre>
      <details className={look.soft}>
        <summary>{coverWords(proposed)}</summary>
        <ul className={look.evidence}>
          {covers.slice(0, mostLinks).map((id, at) => (
            <li key={id}>
              <Link to="/activity/$id" params={{ id }}>
                Call {at + 1}
              </Link>
            </li>
          ))}
        </ul>
        {covers.length > mostLinks && <p>and {covers.length - mostLinks} more</p>}
      </details>
      <Button size="small" aria-label={`Add to editor: ${words}`} onClick={() => onPut(rule, replaces)}>
        Add to editor
      </Button>
    </li>
  )
}
