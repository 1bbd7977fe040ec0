import { fileChanges } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { type ReactNode, useMemo } from "react"
import { argTree } from "./arg-tree.ts"
import { FileChanges } from "./file-changes.tsx"
import { MaskedJson } from "./masked-json.tsx"
import { useSecrets } from "./secrets.ts"

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
    const shown = new Set(changes.flatMap(({ pointers }) => pointers.map(firstName)))
    const isPath = (name: string, value: unknown): boolean =>
      changes.some(({ pathName, path }) => pathName === name && path === value)
    return Object.fromEntries(Object.entries(args).filter(([name, value]) => !shown.has(name) && !isPath(name, value)))
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

/** The argument that a pointer leads into. */
function firstName(pointer: string): string {
  return (pointer.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~")
}
