import type { JsonValue } from "@byleave/core"
import { type CSSProperties, Fragment, type ReactNode, useMemo } from "react"
import look from "./arguments.module.css"
import { useSteps } from "./folds.ts"
import { type JsonLine, jsonLines } from "./json-lines.ts"
import type { Secrets } from "./secrets.ts"
import { LongText, Masked, MoreSteps } from "./shown-value.tsx"

const mostLines = 60
const linesAtOnce = 1_000

type ExactJsonProps = { readonly value: JsonValue; readonly secrets: Secrets | null; readonly label: string }

/** A value as exact JSON. Numbers stand as they were written; secrets stay masked until they are revealed. */
export function ExactJson({ value, secrets, label }: ExactJsonProps): ReactNode {
  const lines = useMemo(() => jsonLines(value, secrets?.hidden), [value, secrets?.hidden])
  const steps = useSteps(lines.length, mostLines, linesAtOnce)
  return (
    <section className={look.json} aria-label={label}>
      {lines.slice(0, steps.shown).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text have no other name than their place
        <Line key={at} line={line} secrets={secrets} />
      ))}
      <MoreSteps steps={steps} one="line" />
    </section>
  )
}

/** Further in than this, nothing would be left of a narrow page. */
const deepestIndent = 24

function Line({ line, secrets }: { readonly line: JsonLine; readonly secrets: Secrets | null }): ReactNode {
  return (
    <span className={look.line} style={{ "--depth": Math.min(line.depth, deepestIndent) } as CSSProperties}>
      {line.pieces.map((piece, at) =>
        piece.kind === "text" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text have no other name than their place
          <LongText key={at} text={piece.text} />
        ) : (
          <Fragment key={piece.pointer}>
            {" "}
            <Masked name={piece.pointer} length={piece.length} onReveal={() => secrets?.reveal([piece.pointer])} />
          </Fragment>
        ),
      )}
    </span>
  )
}
