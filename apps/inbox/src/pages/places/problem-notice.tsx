import type { Problem } from "@byleave/api"
import { Button, Notice, Sentence } from "@byleave/ui"
import type { ReactNode } from "react"

type ProblemNoticeProps = { readonly problem: Problem | null; readonly onClose?: () => void }

/** Why something was not done. Nothing when nothing went wrong. */
export function ProblemNotice({ problem, onClose }: ProblemNoticeProps): ReactNode {
  if (problem === null) return null
  const close =
    onClose === undefined ? undefined : (
      <Button size="small" tone="quiet" onClick={onClose}>
        Close
      </Button>
    )
  return (
    <Notice tone="no" title="This could not be completed." actions={close}>
      <Sentence text={problem.detail} />
      {problem.problems?.map((line) => (
        <p key={line}>
          <Sentence text={line} />
        </p>
      ))}
    </Notice>
  )
}
