import { type Condition, emptyPolicy, type Policy, type Rule, toolName } from "@byleave/core"
import { type RecordedRunCall, recordedCalls } from "./recorded-calls.ts"
import type { Recording } from "./recording.ts"

/** A policy that decides about the calls of a recording as they were decided about; everything else asks. */
export function recordedPolicy(recording: Recording): Policy {
  const calls = recordedCalls(recording)
  const decided = new Map<string, Set<RecordedRunCall["decision"]>>()
  for (const { tool, decision } of calls) {
    if (tool !== null) decided.set(toolName(tool), (decided.get(toolName(tool)) ?? new Set()).add(decision))
  }
  const rules = calls.flatMap((call, at) => ruleFor(call, at, (decided.get(nameOf(call))?.size ?? 0) > 1))
  return { ...emptyPolicy, version: "recorded", rules }
}

function nameOf({ tool }: RecordedRunCall): string {
  return tool === null ? "" : toolName(tool)
}

/** `isMixed`: calls of the same tool were decided about in several ways, so the arguments tell them apart. */
function ruleFor({ tool, args, decision, reason }: RecordedRunCall, at: number, isMixed: boolean): readonly Rule[] {
  if (tool === null || decision === "asked" || decision === "ungated") return []
  const when: readonly Condition[] = Object.entries(args).map(([key, value]) => ({ key, op: "equals", value }))
  return [
    {
      id: `recorded[${at}]`,
      target: { server: tool.server, kind: "tool", name: tool.tool, whole: false },
      origin: { where: "the recording" },
      effect: decision === "allowed" ? "allow" : "deny",
      ...(isMixed ? { when } : {}),
      ...(reason === "" ? {} : { reason }),
    },
  ]
}
