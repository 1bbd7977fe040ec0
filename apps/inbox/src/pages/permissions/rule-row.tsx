import { Sentence, TheirWords } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./permission-rows.module.css"
import { placeWords } from "./place-words.ts"
import { EffectMark } from "./tools/effect-mark.tsx"
import type { RuleView } from "./tools/permissions-by-server.ts"
import { withoutVerb } from "./without-verb.ts"

type RuleRowProps = {
  readonly rule: RuleView
  /** False below a heading that says where it is defined. */
  readonly saysWhere?: boolean
}

/** One written rule. It is changed where it is written. */
export function RuleRow({ rule, saysWhere = true }: RuleRowProps): ReactNode {
  const hasFacts = saysWhere || rule.reason !== null
  return (
    <li className={look.row}>
      <div className={look.level}>
        <EffectMark effect={rule.effect} of="rule" />
      </div>
      <div className={look.said}>
        <p className={look.target} title={rule.text}>
          <Sentence text={withoutVerb(rule.words)} />
        </p>
        {hasFacts && (
          <ul className={look.facts}>
            {rule.reason !== null && (
              <li>
                because <TheirWords text={rule.reason} most={500} />
              </li>
            )}
            {saysWhere && (
              <li title={rule.where}>
                defined in <Sentence text={placeWords(rule.where)} />
              </li>
            )}
          </ul>
        )}
      </div>
    </li>
  )
}
