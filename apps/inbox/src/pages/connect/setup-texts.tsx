import { CopyButton, Sheet } from "@byleave/ui"
import type { ReactNode } from "react"
import { ExactWords } from "../policy/exact-words.tsx"
import type { ClientSetup, Way } from "./client-setups.ts"
import type { SetupFill } from "./setup-lines.ts"
import look from "./setup-texts.module.css"
import { noTokenYet, tokenStep, whereOf, wholeText } from "./whole-text.ts"

type SetupTextsProps = {
  readonly setup: ClientSetup
  readonly way: Way
  readonly fill: SetupFill
  /** Null: there is no token yet, or none is needed. */
  readonly secret: string | null
  /** The token has been copied. */
  readonly onCopied: () => void
}

/** The texts of a setup, each with the file it belongs to, and a button that copies all of them. */
export function SetupTexts({ setup, way, fill, secret, onCopied }: SetupTextsProps): ReactNode {
  const shown = secret ?? noTokenYet
  const token = tokenStep(setup, shown)
  const needsToken = way === "address" && secret === null
  const whole = wholeText(setup, way, fill, shown)
  return (
    <Sheet
      title="Configuration"
      actions={
        !needsToken && (
          <div>
            <CopyButton key={whole} text={whole} what="whole configuration" onCopied={onCopied} />
          </div>
        )
      }
    >
      <ol className={look.parts}>
        {way === "address" && (
          <Part where={token.where} what={token.what} text={token.text} canCopy={!needsToken} onCopied={onCopied}>
            {needsToken && <p className={look.missing}>Create a token to fill it in here.</p>}
          </Part>
        )}
        {setup.steps[way].map((step) => (
          <Part
            key={whereOf(step)}
            where={whereOf(step)}
            what={step.file ?? "command"}
            isFile={step.file !== null}
            words={step.file === null ? "" : step.words}
            text={step.text(fill)}
            canCopy
          />
        ))}
      </ol>
      {setup.asking !== "" && (
        <p className={look.asking}>
          <strong>Who asks:</strong> <ExactWords text={setup.asking} />
        </p>
      )}
    </Sheet>
  )
}

type PartProps = {
  readonly where: string
  /** The text that its button copies. */
  readonly what: string
  readonly isFile?: boolean
  readonly words?: string
  readonly text: string
  readonly canCopy: boolean
  readonly onCopied?: () => void
  readonly children?: ReactNode
}

function Part({ where, what, isFile = false, words = "", text, canCopy, onCopied, children }: PartProps): ReactNode {
  return (
    <li className={look.part}>
      <div className={look.head}>
        <p className={look.where}>
          {isFile ? <code>{where}</code> : where}
          {words !== "" && <span className={look.words}>{words}</span>}
        </p>
        {canCopy && (
          <div>
            <CopyButton key={text} text={text} what={what} {...(onCopied === undefined ? {} : { onCopied })} />
          </div>
        )}
      </div>
      <pre className={look.text}>
        <code translate="no">{text}</code>
      </pre>
      {children}
    </li>
  )
}
