import type { ObservedView } from "@byleave/api"
import { coverWords, remainingWords } from "@byleave/api/page"
import { toolName } from "@byleave/core"
import { countOf } from "@byleave/ui"
import { type ReactNode, useEffect, useRef } from "react"
import { useRead } from "../../data/use-read.ts"
import { CallCounts } from "./call-counts.tsx"
import { OfferedRule, type OnPut } from "./offered-rule.tsx"
import look from "./suggestions.module.css"

/** The report of sessions in observe mode, with rules to consider. Nobody answered these calls, and nothing here says otherwise. */
export function Observed({ onPut }: { readonly onPut: OnPut }): ReactNode {
  const read = useRead("observedCalls")
  if (read.state !== "ready" || read.value.wouldAsk === 0) return null
  return <Report report={read.value} onPut={onPut} />
}

/** The report's place on the page, as links name it. */
const place = "observed"

function Report({ report, onPut }: { readonly report: ObservedView; readonly onPut: OnPut }): ReactNode {
  const section = useRef<HTMLElement>(null)
  // It is read after the page is there, so whoever followed a link to it is brought to it now.
  useEffect(() => {
    if (location.hash === `#${place}`) section.current?.scrollIntoView()
  }, [])
  const { tools, agents, days, rules, wouldAsk, isCut } = report
  return (
    <section ref={section} id={place} className={look.box} aria-label="Observe report">
      <div className={look.lead}>
        <h2 className={look.title}>What observe mode would have asked</h2>
        <p>{`In the last seven days ${isCut ? "at least " : ""}${countOf(wouldAsk, "call")} ran in observe mode that would have needed approval.`}</p>
        <CallCounts name="Tools" counts={tools.map(({ tool, calls }) => [toolName(tool), calls])} />
        <CallCounts name="Agents" counts={agents.map(({ agent, calls }) => [agent, calls])} />
        <CallCounts
          name="Days"
          counts={days.map(({ day, calls }) => [new Date(day).toISOString().slice(0, 10), calls])}
        />
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
            <OfferedRule
              key={rule.id}
              offered={{ ...rule, effect: "allow" }}
              calls={rule.covers}
              callsWords={coverWords(rule)}
              onPut={onPut}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
