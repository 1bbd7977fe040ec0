import type { ApprovalView } from "@byleave/api"
import { type ReactNode, useId } from "react"
import { WholeName } from "../../card/arguments/shown-value.tsx"
import { calledText } from "../../card/head/ask-words.ts"
import { Tick } from "../../parts/field.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { rowText } from "../../words/row-text.ts"
import { ValueList } from "../edit/value-list.tsx"
import { otherwiseThan } from "../remember/placed-values.ts"
import { RestOfCall, useCallSecrets } from "../rest-of-call.tsx"
import { RiskLines } from "../risk-lines.tsx"
import { type AlsoWaiting, mostDifferences } from "./also-waiting.ts"
import look from "./also-waiting-list.module.css"

export type AlsoWaitingRowProps = {
  readonly also: AlsoWaiting
  /** The call whose card this is. */
  readonly answered: ApprovalView
  readonly isChosen: boolean
  readonly onChoose: (id: string, isChosen: boolean) => void
}

/** A call that would be answered along: how it differs from the one that was looked at, and what to check before allowing it. */
export function AlsoWaitingRow({ also, answered, isChosen, onChoose }: AlsoWaitingRowProps): ReactNode {
  const { approval, whyNot } = also
  const aboutId = useId()
  return (
    <li>
      <Tick
        checked={isChosen}
        disabled={whyNot !== null}
        aria-describedby={aboutId}
        onChange={(event) => onChoose(approval.id, event.target.checked)}
        label={
          <code>
            <ShownName text={rowText(calledText(approval))} />
          </code>
        }
        words={approval.sessionKey === answered.sessionKey ? undefined : "Another session"}
      />
      <div id={aboutId} className={look.about}>
        <WholeName text={calledText(approval)} />
        {whyNot === null ? <Differing answered={answered} approval={approval} /> : <p className="aside">{whyNot}</p>}
        <RiskLines risks={approval.risks} />
      </div>
    </li>
  )
}

const none: Parameters<typeof RestOfCall>[0]["changes"] = []

type DifferingProps = { readonly answered: ApprovalView; readonly approval: ApprovalView }

function Differing({ answered, approval }: DifferingProps): ReactNode {
  const differing = otherwiseThan(answered, approval)
  const secrets = useCallSecrets(approval)
  if (differing === null) return <RestOfCall call={approval} changes={none} secrets={secrets} />
  if (differing.length === 0) return <p className="aside">Same arguments</p>
  return (
    <>
      <ValueList values={differing.slice(0, mostDifferences)} />
      <p className="aside">
        {differing.length > mostDifferences
          ? `${differing.length - mostDifferences} more differences; open the call to see all`
          : "Everything else is the same"}
      </p>
    </>
  )
}
