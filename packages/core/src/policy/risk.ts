export type RiskKind =
  | "destructive-verb"
  | "outside-workspace"
  | "shell-metacharacters"
  | "unknown-host"
  | "hidden-characters"
  | "lookalike-name"
  | "lookalike-letters"
  | "large-value"
  | "secret-like"

/** Something a person should look at twice. */
export type Risk = {
  readonly kind: RiskKind
  /** The argument's dotted key; empty for the tool's name. */
  readonly key: string
  readonly sentence: string
}
