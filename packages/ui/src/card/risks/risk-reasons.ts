import type { RiskKindView } from "@byleave/api"

/** Why each kind of risk matters. */
export const riskReasons = {
  "destructive-verb": "Deleted data may not be recoverable.",
  "outside-workspace": "Agents rarely need files there.",
  "sensitive-file": "A change there can affect more than this project.",
  "leaves-folder": "Check where it leads.",
  "shell-metacharacters": "If a shell runs this, it may do more than it appears to.",
  "unknown-host": "Make sure you know who runs it.",
  "new-host": "Data sent there leaves your control.",
  "first-use": "Check what it does before you rely on it.",
  "first-use-by-agent": "Check that this agent needs it.",
  "failed-before": "Allowing it again may fail the same way.",
  "hidden-characters": "A program may read this text differently than you do.",
  "right-to-left": "A program reads it in the order sent.",
  "lookalike-name": "Two tools can have names that look the same.",
  "lookalike-letters": "Two different names can look the same.",
  "large-value": "Long text can hide something.",
  "secret-like": "Anyone who receives it can use it.",
  "instruction-like": "An AI that reads this later may follow it.",
  "other-program": "Permissions for this server were given to the other program.",
  "widens-policy": "Takes effect immediately.",
  "not-checked": "The unchecked part can contain anything.",
} as const satisfies Record<RiskKindView, string>
