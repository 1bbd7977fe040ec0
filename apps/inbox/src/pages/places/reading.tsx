import { Button, Loading, Notice } from "@byleave/ui"
import type { ReactNode } from "react"
import type { Read } from "../../data/use-read.ts"

type ReadingProps<Value> = {
  readonly of: Read<Value>
  /** What is being read, for whoever cannot see its shape. */
  readonly label: string
  readonly lines?: number
  readonly children: (value: Value) => ReactNode
}

/** What was read, once it is there; before that its shape; instead of it the reason, and a way to try again. */
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
  if (read.state !== "problem") return null
  return (
    <Notice
      tone="no"
      title={read.problem.title}
      actions={
        <Button size="small" onClick={read.again}>
          Try again
        </Button>
      }
    >
      {read.problem.detail}
    </Notice>
  )
}
