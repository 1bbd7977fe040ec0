/**
 * A call that gave no result, for hosts that tell a model of errors by what a tool throws: its message is written for the model. Or options
 * that cannot be met (`bad-options`), thrown when the adapter is made.
 */
export class AdapterError extends Error {
  override readonly name = "AdapterError"
  readonly code: "refused" | "unknown" | "failed" | "waiting" | "bad-arguments" | "bad-options"
  constructor(code: AdapterError["code"], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
