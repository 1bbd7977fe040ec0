import type { ConfigProblem } from "@byleave/formats"

/** Why a service does not start, in a sentence that says what to do. */
export class ServiceError extends Error {
  override readonly name = "ServiceError"
  readonly problems: readonly ConfigProblem[]
  constructor(message: string, problems: readonly ConfigProblem[] = [], options?: ErrorOptions) {
    super(message, options)
    this.problems = problems
  }
}
