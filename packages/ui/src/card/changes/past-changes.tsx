import { fileChanges, shownPointers } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { type ReactNode, useMemo } from "react"
import { argTree, restOf } from "../arguments/arg-tree.ts"
import { MaskedJson } from "../arguments/masked-json.tsx"
import { useSecrets } from "../arguments/secrets.ts"
import { FileChanges } from "./file-changes.tsx"

export type PastChangesProps = {
  readonly tool: string
  /** As they were recorded. */
  readonly args: JsonObject
  /** The call still waits for an answer. */
  readonly isPending: boolean
}

/** A call's arguments as they are on record: changes of files as differences, everything else as it was sent. */
export function PastChanges({ tool, args, isPending }: PastChangesProps): ReactNode {
  const changes = useMemo(() => fileChanges(tool, args), [tool, args])
  const secrets = useSecrets(useMemo(() => argTree(args, []), [args]))
  const others = useMemo(() => {
    // An argument is left out only where all of it stands above.
    const shown = shownPointers(changes)
    const left = argTree(args, []).filter((node) => restOf([node], shown).length > 0)
    const names = new Set(left.map(({ name }) => name))
    return Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)))
  }, [args, changes])
  return (
    <>
      <FileChanges
        changes={changes}
        current={null}
        notAgain={null}
        secrets={secrets}
        isPending={isPending}
        hasHeading={false}
      />
      {(changes.length === 0 || Object.keys(others).length > 0) && <MaskedJson value={others} label="Arguments" />}
    </>
  )
}
