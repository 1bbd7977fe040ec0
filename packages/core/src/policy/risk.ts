export type RiskKind =
  | "destructive-verb"
  | "outside-workspace"
  /** A file of the system, or one whose name begins with a dot. */
  | "sensitive-file"
  | "shell-metacharacters"
  | "unknown-host"
  | "hidden-characters"
  | "lookalike-name"
  | "lookalike-letters"
  | "large-value"
  | "secret-like"
  | "widens-policy"
  /** The call is too large to be looked through: warnings cover only its beginning. */
  | "not-checked"

/** Something a person should look at twice. */
export type Risk = {
  readonly kind: RiskKind
  /** The argument's dotted key; empty for the tool's name. */
  readonly key: string
  readonly sentence: string
}
