import type { ApprovalView } from "@byleave/api"
import { type ReactNode, useMemo } from "react"
import { FileChanges } from "../../card/changes/file-changes.tsx"
import { shownChanges } from "../../review/shown-changes.ts"
import { RestOfCall, useCallSecrets } from "../rest-of-call.tsx"
import { useCurrent } from "../use-current.ts"
import type { LoadCurrent } from "../verdict.ts"

type CallChangesProps = { readonly approval: ApprovalView; readonly loadCurrent?: LoadCurrent }

/** A waiting call in full, to be looked at among others: its changes to files, and everything else of it. */
export function CallChanges({ approval, loadCurrent }: CallChangesProps): ReactNode {
  const changes = useMemo(() => shownChanges(approval), [approval])
  const secrets = useCallSecrets(approval)
  const current = useCurrent(approval.id, changes.length > 0 ? loadCurrent : undefined)
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
      <RestOfCall call={approval} changes={changes} secrets={secrets} />
    </>
  )
}
