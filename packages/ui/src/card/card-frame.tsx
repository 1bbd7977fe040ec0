import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { Mark, Stamp } from "../parts/mark.tsx"
import { Ago, useNow } from "../parts/time.tsx"
import { ExtendMenu } from "../verdict/extend-menu.tsx"
import type { CardActions } from "../verdict/verdict.ts"
import { lengthInWords } from "../words/time-words.ts"
import look from "./card-frame.module.css"
import { statusWords } from "./head/status-words.ts"
import { urgencyOf } from "./row/row-words.ts"

export type CardFrameProps = {
  readonly approval: ApprovalView
  readonly actions: CardActions
  /** The id of its heading. */
  readonly labelledBy: string
  readonly foot: ReactNode
  readonly children: ReactNode
}

/** The paper a call is written on: its stub carries time and urgency, or the stamp of what became of it. */
export function CardFrame({ approval, actions, labelledBy, foot, children }: CardFrameProps): ReactNode {
  const now = useNow(5_000)
  const words = statusWords(approval)
  const urgency = approval.status === "pending" ? urgencyOf(approval.expiresAt, now) : "none"
  return (
    <div className={look.place}>
      <article
        className={look.slip}
        aria-labelledby={labelledBy}
        data-urgency={urgency}
        data-gone={words?.isGone ?? false}
        data-status={approval.status}
      >
        <div className={look.stub}>
          <div className={look.times}>
            {words === null ? (
              <span className={look.waits}>
                <Mark tone="wait">Needs your approval</Mark>
              </span>
            ) : (
              <Stamp tone={words.tone}>{words.stamp}</Stamp>
            )}
            <p className={look.time}>
              <span>Requested</span>
              <span className={look.big}>
                <Ago at={approval.createdAt} />
              </span>
            </p>
            {approval.status === "pending" && <Expiry approval={approval} actions={actions} />}
            {words !== null && (
              <p className={look.time}>
                <span>{words.isGone ? "Ended" : "Since"}</span>
                <span className={look.big}>
                  <Ago at={words.at} />
                </span>
              </p>
            )}
          </div>
        </div>
        <div className={look.body}>{children}</div>
        <div className={look.foot}>{foot}</div>
      </article>
    </div>
  )
}

type ExpiryProps = { readonly approval: Extract<ApprovalView, { status: "pending" }>; readonly actions: CardActions }

function Expiry({ approval, actions }: ExpiryProps): ReactNode {
  const now = useNow()
  if (approval.expiresAt === null) return <p className={look.time}>No deadline.</p>
  const left = approval.expiresAt - now
  return (
    <>
      <p className={look.time}>
        <span>{left > 0 ? "Expires in" : "Expires"}</span>
        <span className={look.big} data-urgency={urgencyOf(approval.expiresAt, now)}>
          {left > 0 ? lengthInWords(left) : "now"}
        </span>
      </p>
      <ExtendMenu approval={approval} actions={actions} isBusy={actions.busyWith === "extend"} />
    </>
  )
}
