/** A schema that cannot be judged by: it says nothing that can be used, or would take too much work. */
export class SchemaError extends Error {
  override readonly name = "SchemaError"
  readonly code: "unusable" | "too-much-work"
  constructor(code: SchemaError["code"], message: string) {
    super(message)
    this.code = code
  }
}

export type Work = { left: number }

export function spend(work: Work, steps: number): void {
  work.left -= steps
  if (work.left < 0)
    throw new SchemaError("too-much-work", "Checking these arguments against it takes more work than is allowed.")
}

export function unusable(message: string): SchemaError {
  return new SchemaError("unusable", message)
}
