import type { Problem } from "@byleave/api"
import { Button, Loading, Notice } from "@byleave/ui"
import type { ReactNode } from "react"
import type { Read } from "../../data/use-read.ts"

type ReadingProps<Value> = {
  readonly of: Read<Value>
  /** The name of what is being read, for people who cannot see its shape. */
  readonly label: string
  readonly lines?: number
  readonly children: (value: Value) => ReactNode
}

/** Shows an answer once it has come; its shape before; on failure the reason, and a way to try again. */
export function Reading<Value>({ of: read, label, lines = 3, children }: ReadingProps<Value>): ReactNode {
  switch (read.state) {
    case "loading":
      return <Loading label={label} lines={lines} />
    case "problem":
      return <NotRead of={read} />
    case "ready":
      return children(read.value)
  }
}

/** Why something could not be read; nothing while it could. */
export function NotRead({ of: read }: { readonly of: Read<unknown> }): ReactNode {
  return read.state === "problem" ? <ReadProblem problem={read.problem} again={read.again} /> : null
}

/** Something could not be read: why, and another try. */
export function ReadProblem({ problem, again }: { readonly problem: Problem; readonly again: () => void }): ReactNode {
  const retry = (
    <Button size="small" onClick={again}>
      Try again
    </Button>
  )
  return (
    <Notice tone="no" title="Could not load this" actions={retry}>
      {problem.detail}
    </Notice>
  )
}
