import { mayChangeFiles } from "@byleave/api/page"
import type { WaitingCall } from "../../../data/live/waiting-table.ts"

/** Whether a call waits and may change files, as far as a list can tell. */
export function changesFiles({ status, tool, preview }: WaitingCall): boolean {
  const names = (preview ?? []).map((argument) => argument.name)
  return status === "pending" && mayChangeFiles(tool.tool, names)
}
