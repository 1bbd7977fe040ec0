import { ShownText } from "@byleave/ui"
import { type ReactNode, useMemo } from "react"
import look from "./diff-view.module.css"
import { type DiffPart, diffLines, withoutSame } from "./text-diff.ts"

type DiffViewProps = { readonly label: string; readonly before: string; readonly after: string }

/** Two texts as one, with what goes and what comes; scrolls in its own box. */
export function DiffView({ label, before, after }: DiffViewProps): ReactNode {
  const parts = useMemo(() => withoutSame(diffLines(before, after)), [before, after])
  if (before === after) return <p className={look.none}>No differences.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className={look.box} aria-label={label} tabIndex={0}>
      <ul className={look.lines}>
        {parts.map((part) => (
          <DiffRow key={keyOf(part)} part={part} />
        ))}
      </ul>
    </section>
  )
}

function keyOf(part: DiffPart): string {
  return part.kind === "skipped" ? `skipped ${part.after}` : `${part.before} ${part.after}`
}

function DiffRow({ part }: { readonly part: DiffPart }): ReactNode {
  if (part.kind === "skipped") {
    return <li className={look.skipped}>{part.count === 1 ? "1 unchanged line" : `${part.count} unchanged lines`}</li>
  }
  return (
    <li className={look.line} data-kind={part.kind}>
      <span className={look.number} aria-hidden="true">
        {part.after ?? part.before}
      </span>
      <span className={look.sign}>
        <span aria-hidden="true">{signs[part.kind]}</span>
        {part.kind !== "same" && (
          <span className="only-read-aloud">{part.kind === "added" ? "Added: " : "Removed: "}</span>
        )}
      </span>
      <code>
        <ShownText text={part.text} />
      </code>
    </li>
  )
}

const signs = { same: " ", added: "+", removed: "−" } as const
