import type { GrantView } from "@byleave/api"
import { callersBehind, callersWords } from "@byleave/core"
import { Ago, Button, Left, Mark, Sentence, ShownText, TheirName, TheirWords } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "../permission-rows.module.css"
import { withoutVerb } from "../without-verb.ts"
import { levelChoices, levelLabel } from "./grant-levels.ts"

type GrantRowProps = {
  readonly grant: GrantView
  /** How people know the session it serves; null when it serves every agent. */
  readonly session: string | null
  readonly onChange: (grant: GrantView) => void
  readonly onForget: (grant: GrantView) => void
}

/** One remembered answer: what it says, whose it is, how it was used. */
export function GrantRow({ grant, session, onChange, onForget }: GrantRowProps): ReactNode {
  return (
    <li className={look.row}>
      <div className={look.level}>
        <Mark tone={grant.effect === "allow" ? "yes" : "no"}>{levelLabel(grant)}</Mark>
      </div>
      <div className={look.said}>
        <p className={look.target} title={grant.text}>
          <Sentence text={withoutVerb(grant.words)} />
        </p>
        <GrantFacts grant={grant} session={session} />
      </div>
      <div className={look.actions}>
        {levelChoices(grant, grant.createdAt).length > 1 && (
          <Button size="small" aria-label={`Change: ${grant.words}`} onClick={() => onChange(grant)}>
            Change
          </Button>
        )}
        <Button size="small" tone="quiet" aria-label={`Revoke: ${grant.words}`} onClick={() => onForget(grant)}>
          Revoke
        </Button>
      </div>
    </li>
  )
}

function GrantFacts({ grant, session }: Pick<GrantRowProps, "grant" | "session">): ReactNode {
  return (
    <ul className={look.facts}>
      <li>
        by <ShownText text={grant.createdBy} />, <Ago at={grant.createdAt} />
      </li>
      <li>
        {usedWords(grant.timesUsed)}
        {grant.lastUsedAt !== null && (
          <>
            , last <Ago at={grant.lastUsedAt} />
          </>
        )}
      </li>
      {grant.until !== undefined && (
        <li>
          <Left until={grant.until} />
        </li>
      )}
      {grant.usesLeft !== undefined && <li>{grant.usesLeft === 1 ? "1 use left" : `${grant.usesLeft} uses left`}</li>}
      <li>
        {grant.agent !== undefined ? (
          <>
            only for <Sentence text={callersWords(callersBehind(grant.agent, grant.starter))} />
          </>
        ) : session === null ? (
          "for every agent"
        ) : (
          <>
            only in <TheirName text={session} />
          </>
        )}
      </li>
      {grant.reason !== undefined && (
        <li>
          because <TheirWords text={grant.reason} most={500} />
        </li>
      )}
    </ul>
  )
}

function usedWords(times: number): string {
  if (times === 0) return "never used"
  return times === 1 ? "used once" : `used ${times} times`
}
