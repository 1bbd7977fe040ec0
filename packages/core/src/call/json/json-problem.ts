export type JsonProblem = {
  readonly code: JsonProblemCode
  /** In plain words, with what to do about it. */
  readonly message: string
  /** Where in the value, as a JSON pointer; empty at the top. */
  readonly path: string
  /** Where in the text, in UTF-16 code units. */
  readonly offset: number
}

export type JsonProblemCode =
  | "syntax"
  | "duplicate-key"
  | "case-equal-keys"
  | "many-marks"
  | "nfc-equal-keys"
  | "lone-surrogate"
  | "too-deep"
  | "too-large"
  | "too-many-values"
