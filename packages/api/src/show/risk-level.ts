import type { ApprovalView } from "../views/approval-view.ts"

type RiskKind = ApprovalView["risks"][number]["kind"]
export type RiskLevel = "none" | "notice" | "strong"

/** How much each kind of risk weighs: a notice is worth a look, a strong one a long look. */
const levels = {
  "destructive-verb": "strong",
  "outside-workspace": "strong",
  "sensitive-file": "strong",
  "leaves-folder": "notice",
  "shell-metacharacters": "notice",
  "unknown-host": "notice",
  "new-host": "strong",
  "first-use": "strong",
  "first-use-by-agent": "notice",
  "failed-before": "notice",
  "hidden-characters": "strong",
  "right-to-left": "notice",
  "lookalike-name": "strong",
  "lookalike-letters": "strong",
  "large-value": "notice",
  "secret-like": "notice",
  "instruction-like": "strong",
  "widens-policy": "strong",
  "not-checked": "strong",
  "other-program": "strong",
} as const satisfies Record<RiskKind, RiskLevel>

export function riskWeight(kind: RiskKind): Exclude<RiskLevel, "none"> {
  return levels[kind]
}

type Weighed = Pick<ApprovalView, "pin"> & {
  readonly risks: ApprovalView["risks"] | { readonly kinds: readonly RiskKind[] } | null
}

/** The weightiest of what there is to check before allowing a call. A tool that nobody has accepted as it is now is strong by itself. */
export function riskLevelOf({ risks, pin }: Weighed): RiskLevel {
  if (pin === "new" || pin === "changed") return "strong"
  const kinds = risks === null ? [] : "kinds" in risks ? risks.kinds : risks.map(({ kind }) => kind)
  if (kinds.some((kind) => levels[kind] === "strong")) return "strong"
  return kinds.length === 0 ? "none" : "notice"
}

const weights = { none: 0, notice: 1, strong: 2 } as const satisfies Record<RiskLevel, number>

/** Orders calls by risk, the riskiest first; equals stay as they were. */
export function byRisk(a: Weighed, b: Weighed): number {
  return weights[riskLevelOf(b)] - weights[riskLevelOf(a)]
}
