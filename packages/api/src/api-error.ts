/** The service could not be reached, or its answer is not of this API. Refusals of the API are values, not this error. */
export class ApiError extends Error {
  override readonly name = "ApiError"
  readonly code: "unreachable" | "not-this-api" | "cut-off"
  constructor(code: ApiError["code"], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
