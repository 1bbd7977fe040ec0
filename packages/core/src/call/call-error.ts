export type CallErrorCode =
  /** A value that JSON cannot say reached a place that only takes JSON. */
  | "not-json"
  /** A call with names or a session that cannot be its own. */
  | "bad-call"
  /** Text that we wrote ourselves no longer reads. */
  | "stored-json-malformed"

/** An error that only a defect or damaged data causes in this package; refusals of input are values. */
export class CallError extends Error {
  override readonly name = "CallError"
  readonly code: CallErrorCode
  constructor(code: CallErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
