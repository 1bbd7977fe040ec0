import type { ApprovalView, FileChange } from "@byleave/api"
import { fileChanges, shownArguments } from "@byleave/api/page"

/** The changes of files that a call would make, as it would run now. */
export function shownChanges(call: ApprovalView): readonly FileChange[] {
  const args = shownArguments(call)
  return args === null ? [] : fileChanges(call.tool.tool, args, call.definition?.inputSchema ?? null)
}

/** A patch may name its files itself. */
export function changedPath({ path }: FileChange): string {
  return path ?? "a file that the patch names"
}
