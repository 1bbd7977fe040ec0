import type { ApprovalView } from "@byleave/api"

/** Whether two calls are of one tool, as it defines itself. */
export function isSameTool(a: ApprovalView, b: ApprovalView): boolean {
  return (
    a.kind === b.kind &&
    a.tool.server === b.tool.server &&
    a.tool.tool === b.tool.tool &&
    a.fingerprint === b.fingerprint
  )
}
