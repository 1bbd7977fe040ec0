/** A call that gave no result, for hosts that tell a model of errors by what a tool throws. Its message is written for the model. */
export class AdapterError extends Error {
  override readonly name = "AdapterError"
  readonly code: "refused" | "unknown" | "failed" | "waiting" | "bad-arguments"
  constructor(code: AdapterError["code"], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
