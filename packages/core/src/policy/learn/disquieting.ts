import type { RiskKind } from "../risks/risk.ts"
import { risksOf } from "../risks/risks.ts"
import type { KeptCall } from "./answered-call.ts"
import type { ToolOf } from "./covers.ts"

const disquieting: ReadonlySet<RiskKind> = new Set([
  "destructive-verb",
  "shell-metacharacters",
  "hidden-characters",
  "lookalike-name",
  "secret-like",
  "instruction-like",
  "leaves-folder",
])

/** Whether a call has something about it that no rule should learn to allow. */
export function isDisquieting({ tool: ref, args }: Pick<KeptCall, "tool" | "args">, tool: ToolOf): boolean {
  const definition = tool.facts?.definition ?? null
  return risksOf({ tool: ref, args, definition, folders: tool.homes }).some(({ kind }) => disquieting.has(kind))
}
