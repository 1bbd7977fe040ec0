import { noteTexts } from "@byleave/core/told"
import type { UnrunAnswer } from "./submit-call.ts"

/** The text for the model in place of a run, for hosts that can only say no: also a result that was kept for it. */
export function toldText(decided: UnrunAnswer): string {
  switch (decided.kind) {
    case "refused":
    case "unknown":
      return decided.text
    case "waiting":
      return decided.permission.permissionRequest.description
    case "result":
      return [
        "This call has run already, and was not run again. Its result:",
        JSON.stringify(decided.result),
        ...decided.notes,
      ].join(" ")
    case "failed":
      return ["This call has run already and failed:", JSON.stringify(decided.error), ...decided.notes].join(" ")
  }
}

export const editedNote = noteTexts(["edited"]).join(" ")
