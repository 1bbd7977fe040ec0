export type CallErrorCode =
  /** A value that JSON cannot say reached a place that only takes JSON. */
  | "not-json"
  /** A call with names or a session that cannot be its own. */
  | "bad-call"
  /** Text that we wrote ourselves no longer reads. */
  | "stored-json-malformed"

/** What goes wrong in this package only by a defect or by damaged data; refusals of input are values. */
export class CallError extends Error {
  override readonly name = "CallError"
  readonly code: CallErrorCode
  constructor(code: CallErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
