import type { TextProblem } from "@byleave/api"
import { Mark } from "@byleave/ui"
import type { ReactNode } from "react"
import { inReadingOrder, problemCount } from "./editor/text-lines.ts"
import { ExactWords } from "./exact-words.tsx"
import look from "./problem-list.module.css"

type ProblemListProps = {
  readonly problems: readonly TextProblem[]
  /** Said where there are none. */
  readonly otherwise?: string
  /** Goes to a line of the text, where there is one to go to. */
  readonly onGoTo?: (line: number, column?: number) => void
}

/** Problems of the text; pressing one goes to its line. */
export function ProblemList({ problems, otherwise = "", onGoTo }: ProblemListProps): ReactNode {
  return (
    <div className={look.problems}>
      <p className={look.count} role="status">
        {problemCount(problems) ?? otherwise}
      </p>
      {problems.length > 0 && (
        <ul>
          {inReadingOrder(problems).map((problem) => (
            <li key={`${problem.line}:${problem.column} ${problem.message}`} className={look.problem}>
              <ProblemWords problem={problem} onGoTo={onGoTo} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type ProblemWordsProps = { readonly problem: TextProblem; readonly onGoTo: ProblemListProps["onGoTo"] | undefined }

function ProblemWords({ problem, onGoTo }: ProblemWordsProps): ReactNode {
  const { line, column, severity } = problem
  const mark = <Mark tone={severity === "error" ? "no" : "wait"}>{severity === "error" ? "Error" : "Warning"}</Mark>
  const message = <ExactWords text={problem.message} />
  if (line === null || onGoTo === undefined) {
    return (
      <p className={look.words}>
        {mark} {line !== null && <>Line {line}: </>}
        {message}
      </p>
    )
  }
  return (
    <button type="button" className={look.words} onClick={() => onGoTo(line, column ?? undefined)}>
      {mark} <span className={look.line}>Line {line}</span> {message}
    </button>
  )
}
