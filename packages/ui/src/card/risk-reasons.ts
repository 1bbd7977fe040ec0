import type { RiskView } from "./arguments/arg-tree.ts"

/** Why each kind of risk is worth a second look. */
export const riskReasons = {
  "destructive-verb": "Deleted data may not be recoverable.",
  "outside-workspace": "It reaches files this task should not need.",
  "sensitive-file": "A change there can affect more than this project.",
  "shell-metacharacters": "If a shell runs this, it may do more than it appears to.",
  "unknown-host": "Data sent there leaves your control.",
  "new-host": "Data sent there leaves your control.",
  "first-use": "Nobody here has seen yet what it does.",
  "first-use-by-agent": "It may be more than this agent's work needs.",
  "failed-before": "Allowing it again may fail the same way.",
  "hidden-characters": "A program may read this text differently than you do.",
  "lookalike-name": "Two tools can have names that look the same.",
  "lookalike-letters": "Two different addresses can look the same.",
  "large-value": "Long text can hide something.",
  "secret-like": "Anyone who receives it can use it.",
  "other-program": "Permissions for this server were given to the other program.",
  "widens-policy": "Takes effect immediately.",
  "not-checked": "The unchecked part can contain anything.",
} as const satisfies Record<RiskView["kind"], string>
