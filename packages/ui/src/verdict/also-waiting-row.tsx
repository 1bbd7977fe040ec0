import type { ApprovalView } from "@byleave/api"
import { TriangleAlert } from "lucide-react"
import { type ReactNode, useId } from "react"
import { calledText } from "../card/ask-words.ts"
import { Sentence } from "../card/shown-value.tsx"
import { Tick } from "../parts/field.tsx"
import { ShownName } from "../parts/shown-text.tsx"
import type { AlsoWaiting } from "./also-waiting.ts"
import look from "./also-waiting-list.module.css"
import { argumentLine, otherwiseThan } from "./call-line.ts"

export type AlsoWaitingRowProps = {
  readonly also: AlsoWaiting
  /** The call whose card this is. */
  readonly answered: ApprovalView
  readonly isChosen: boolean
  readonly onChoose: (id: string, isChosen: boolean) => void
}

/** A call that would be answered along: how it differs from the one that was looked at, and what to look at twice. */
export function AlsoWaitingRow({ also, answered, isChosen, onChoose }: AlsoWaitingRowProps): ReactNode {
  const { approval, whyNot } = also
  const risksId = useId()
  return (
    <li>
      <Tick
        checked={isChosen}
        disabled={whyNot !== null}
        aria-describedby={approval.risks.length > 0 ? risksId : undefined}
        onChange={(event) => onChoose(approval.id, event.target.checked)}
        label={
          <code>
            <ShownName text={calledText(approval)} />
          </code>
        }
        words={
          <>
            {approval.sessionKey !== answered.sessionKey && <span className={look.line}>In another session</span>}
            {whyNot ?? <Differing answered={answered} approval={approval} />}
          </>
        }
      />
      {approval.risks.length > 0 && <RiskLines id={risksId} risks={approval.risks} />}
    </li>
  )
}

function RiskLines({ id, risks }: { readonly id: string; readonly risks: ApprovalView["risks"] }): ReactNode {
  return (
    <ul id={id} className={look.risks}>
      {risks.map((risk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two risks may read alike
        <li key={at}>
          <TriangleAlert aria-hidden="true" />
          <span>
            <Sentence text={risk.sentence} />
          </span>
        </li>
      ))}
    </ul>
  )
}

const mostShown = 6

type DifferingProps = { readonly answered: ApprovalView; readonly approval: ApprovalView }

function Differing({ answered, approval }: DifferingProps): ReactNode {
  const differing = otherwiseThan(answered, approval)
  if (differing === null) return <ShownName text={argumentLine(approval)} />
  if (differing.length === 0) return "The same arguments"
  return (
    <>
      {differing.slice(0, mostShown).map(({ place, text }) => (
        <span key={place} className={look.line}>
          <span className={look.place}>
            <ShownName text={place} />:
          </span>{" "}
          <ShownName text={text} />
        </span>
      ))}
      <span className={look.line}>
        {differing.length > mostShown
          ? `Differs in ${differing.length - mostShown} more; open it to see all`
          : "All else is the same"}
      </span>
    </>
  )
}
