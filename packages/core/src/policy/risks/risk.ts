export type RiskKind =
  | "destructive-verb"
  | "outside-workspace"
  /** A file of the system, or one whose name begins with a dot. */
  | "sensitive-file"
  /** A path that goes up from the folder it begins with. */
  | "leaves-folder"
  | "shell-metacharacters"
  | "unknown-host"
  /** No approved call has led there. */
  | "new-host"
  /** No call of this tool was approved before, of any agent. */
  | "first-use"
  /** This agent's first, though others' calls of it were approved. */
  | "first-use-by-agent"
  /** The same call failed before in its session. */
  | "failed-before"
  | "hidden-characters"
  /** Letters from right to left move numbers and words beside them about where they are displayed. */
  | "right-to-left"
  | "lookalike-name"
  | "lookalike-letters"
  | "large-value"
  | "secret-like"
  /** Text that orders a model about. */
  | "instruction-like"
  | "widens-policy"
  /** The call is too large to be looked through: warnings cover only its beginning. */
  | "not-checked"

/** Something a person should check before allowing the call. */
export type Risk = {
  readonly kind: RiskKind
  /** The argument's dotted key; empty for the tool's name. */
  readonly key: string
  readonly sentence: string
}

/** The facts that the audit records tell about a call, looked up once when it is held. */
export type ApprovedBefore = {
  /** Whose calls of this tool were approved before; null: that is not asked of what it names. */
  readonly tool: "nobody" | "others" | "this-agent" | null
  /** Of the hosts it leads to, those that approved calls have led to. */
  readonly hosts: ReadonlySet<string>
  /** The server's error when the same call failed before in this session; null: it did not fail. */
  readonly failure: string | null
}
