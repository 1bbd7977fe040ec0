/** The problems and notes that a configuration text can give rise to. Programs tell problems apart by this. */
export type ConfigProblemCode =
  | "anonymous-agents"
  | "approval-never"
  | "auto-approve-absent"
  | "bad-pattern"
  | "bad-server-id"
  | "bad-template"
  | "bad-value"
  | "carried-allow"
  | "decide-in-client"
  | "default-allow"
  | "duplicate-key"
  | "empty"
  | "like-byleave"
  | "literal-pattern"
  | "missing-key"
  | "missing-variable"
  | "nesting"
  | "no-servers"
  | "not-supported"
  | "presence-none"
  | "secret-in-file"
  | "server-disabled"
  | "syntax"
  | "too-large"
  | "unknown-format"
  | "unknown-key"
  | "unmatched-server"
  | "unused-key"
  | "wrong-type"
  | "yaml-feature"

/** One finding, with its place. The message says what to write instead. */
export type ConfigProblem = {
  readonly severity: "error" | "warning"
  readonly code: ConfigProblemCode
  readonly message: string
  /** The file's name, as it was given. */
  readonly where: string
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** The place within the data, e.g. `policy.rules[3].when`; empty for the whole file. */
  readonly path: string
}

export type TextPosition = {
  readonly line: number
  readonly column: number
  readonly path: string
  /** The value here was reported already; more messages about it would only confuse. */
  readonly reported?: true
}

/** Collects what is found while one text is read, so that people see all of it at once. */
export type Report = {
  readonly error: (place: TextPosition, code: ConfigProblemCode, message: string) => void
  readonly warn: (place: TextPosition, code: ConfigProblemCode, message: string) => void
  readonly errors: () => readonly ConfigProblem[]
  readonly warnings: () => readonly ConfigProblem[]
  /** The same report for what is found in another file. */
  readonly within: (file: string) => Report
}

export function createReport(where: string): Report {
  return reportInto([], where, where)
}

function reportInto(found: ConfigProblem[], where: string, first: string): Report {
  const add = (
    severity: ConfigProblem["severity"],
    place: TextPosition,
    code: ConfigProblemCode,
    message: string,
  ): void => {
    found.push({ severity, code, message, where, line: place.line, column: place.column, path: place.path })
  }
  const ofSeverity = (severity: ConfigProblem["severity"]) =>
    found
      .filter((problem) => problem.severity === severity)
      .sort((a, b) => fileOrder(a, b) || a.line - b.line || a.column - b.column)
  // The file itself first, then the others by name.
  const fileOrder = (a: ConfigProblem, b: ConfigProblem): number =>
    a.where === b.where ? 0 : a.where === first ? -1 : b.where === first || a.where > b.where ? 1 : -1
  return {
    error: (place, code, message) => {
      if (place.reported !== true) add("error", place, code, message)
    },
    warn: (place, code, message) => add("warning", place, code, message),
    errors: () => ofSeverity("error"),
    warnings: () => ofSeverity("warning"),
    within: (file) => reportInto(found, file, first),
  }
}
