import { ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { EffectMark } from "./effect-mark.tsx"
import look from "./permission-rows.module.css"
import type { RuleView } from "./permissions-by-server.ts"
import { placeWords } from "./place-words.ts"

/** One written rule. It is changed where it is written. */
export function RuleRow({ rule }: { readonly rule: RuleView }): ReactNode {
  return (
    <li className={look.row}>
      <div className={look.level}>
        <EffectMark effect={rule.effect} of="rule" />
      </div>
      <div className={look.said}>
        <p>
          <ShownText text={rule.words} />
        </p>
        <div className={look.written}>
          <code className={look.text}>
            <ShownText text={rule.text} />
          </code>
          <ul className={look.facts}>
            <li title={rule.where}>
              written in <ShownText text={placeWords(rule.where)} />
            </li>
            {rule.reason !== null && (
              <li>
                because “<ShownText text={rule.reason} />”
              </li>
            )}
          </ul>
        </div>
      </div>
    </li>
  )
}
