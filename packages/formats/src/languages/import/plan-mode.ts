import type { MapEntry } from "../../text/tree.ts"
import { everyTool } from "./doubts.ts"
import type { Findings } from "./found-rules.ts"

/** Modes in which what a rule allows runs. */
const openModes = "default manual acceptEdits auto auto-edit autoEdit auto_edit bypassPermissions dontAsk yolo".split(
  " ",
)

/** The mode that sessions begin in: in `plan`, and in others that are not known, rules may not let run what they allow. */
export function doubtPlanMode(entry: MapEntry | undefined, findings: Findings): void {
  if (entry === undefined) return
  const mode = entry.value.kind === "scalar" ? String(entry.value.value) : ""
  const written = `${entry.key}: ${mode}`
  if (openModes.includes(mode)) {
    findings.lose("dropped", entry, written, "a session's mode is not a rule", "nothing")
    return
  }
  const why =
    "in this mode less may run than the rules allow; to have the rules of other modes, take it out and import again"
  findings.doubt({ ...everyTool, at: entry, written, why })
}
