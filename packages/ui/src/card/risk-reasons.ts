import type { RiskView } from "./arg-tree.ts"

/** Why each kind of risk is worth a second look. */
export const riskReasons = {
  "destructive-verb": "What is destroyed may not come back.",
  "outside-workspace": "It reaches files that the work at hand should not need.",
  "sensitive-file": "A change there can affect more than this project.",
  "shell-metacharacters": "If this ends up in a shell, it may run more than it seems to.",
  "unknown-host": "What is sent there leaves your hands.",
  "hidden-characters": "Text can read differently to you than to a program.",
  "lookalike-name": "Two names can look the same and be two tools.",
  "lookalike-letters": "Two addresses can look the same and be two.",
  "large-value": "Much text is a good place to hide something.",
  "secret-like": "Whoever receives it can use it.",
  "other-program": "Everything remembered for this server was meant for the other program.",
  "widens-policy": "From then on it happens without a question, or otherwise than now.",
  "not-checked": "What was not checked can hold anything.",
} as const satisfies Record<RiskView["kind"], string>
