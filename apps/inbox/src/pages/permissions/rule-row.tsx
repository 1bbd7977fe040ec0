import { Sentence, TheirWords } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./permission-rows.module.css"
import { placeWords } from "./place-words.ts"
import { EffectMark } from "./tools/effect-mark.tsx"
import type { RuleView } from "./tools/permissions-by-server.ts"
import { withoutVerb } from "./without-verb.ts"

/** One written rule. It is changed where it is written. */
export function RuleRow({ rule }: { readonly rule: RuleView }): ReactNode {
  return (
    <li className={look.row}>
      <div className={look.level}>
        <EffectMark effect={rule.effect} of="rule" />
      </div>
      <div className={look.said}>
        <p className={look.target} title={rule.text}>
          <Sentence text={withoutVerb(rule.words)} />
        </p>
        <ul className={look.facts}>
          {rule.reason !== null && (
            <li>
              because <TheirWords text={rule.reason} most={500} />
            </li>
          )}
          <li title={rule.where}>
            defined in <Sentence text={placeWords(rule.where)} />
          </li>
        </ul>
      </div>
    </li>
  )
}
