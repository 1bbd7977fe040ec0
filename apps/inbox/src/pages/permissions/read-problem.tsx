import type { Problem } from "@byleave/api"
import { Button, Notice } from "@byleave/ui"
import type { ReactNode } from "react"

/** Something could not be read: why, and another try. */
export function ReadProblem({ problem, again }: { readonly problem: Problem; readonly again: () => void }): ReactNode {
  return (
    <Notice tone="no" title="This could not be read" actions={<Button onClick={again}>Try again</Button>}>
      {problem.detail}
    </Notice>
  )
}
