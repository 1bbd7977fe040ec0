/** The service could not be asked, or what it said is not this API. What the API refuses is a value, not this. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly code: "unreachable" | "not-this-api" | "cut-off"
  constructor(code: ApiError["code"], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
