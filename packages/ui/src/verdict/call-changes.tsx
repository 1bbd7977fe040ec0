import type { ApprovalView } from "@byleave/api"
import { fileChanges, shownArguments } from "@byleave/api/page"
import { type ReactNode, useMemo } from "react"
import { argTree } from "../card/arg-tree.ts"
import { FileChanges } from "../card/file-changes.tsx"
import { useSecrets } from "../card/secrets.ts"
import { useCurrent } from "./use-current.ts"
import { AllArguments } from "./value-list.tsx"
import type { LoadCurrent } from "./verdict.ts"

/** What a waiting call would do, for a look among others: the difference it makes to files, and its other arguments. */
export function CallChanges({
  approval,
  loadCurrent,
}: {
  readonly approval: ApprovalView
  readonly loadCurrent?: LoadCurrent
}): ReactNode {
  const args = useMemo(() => shownArguments(approval), [approval])
  const changes = useMemo(
    () => (args === null ? [] : fileChanges(approval.tool.tool, args)),
    [args, approval.tool.tool],
  )
  const secrets = useSecrets(
    useMemo(() => (args === null ? [] : argTree(args, approval.risks)), [args, approval.risks]),
  )
  const current = useCurrent(approval.id, changes.length > 0 ? loadCurrent : undefined)
  const shownAbove = new Set(changes.flatMap(({ pointers }) => pointers.map((pointer) => pointer.split("/")[1])))
  return (
    <>
      <FileChanges
        changes={changes}
        current={current}
        notAgain={null}
        secrets={secrets}
        isPending={true}
        hasHeading={false}
      />
      <AllArguments approval={approval} without={shownAbove} />
    </>
  )
}
