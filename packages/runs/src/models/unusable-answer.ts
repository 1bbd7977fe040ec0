import { showBytes } from "../run-limits.ts"

/** An answer of a model's server that is not taken. Its message says why, in words for people. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer"
  readonly code: "too-large" | "too-deep" | "redirected"
  constructor(code: UnusableAnswer["code"], message: string) {
    super(message)
    this.code = code
  }
}

/** Finds it also where a provider's package has wrapped it. */
export function unusableAnswerIn(error: unknown): UnusableAnswer | undefined {
  let inner = error
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    if (inner instanceof UnusableAnswer) return inner
    inner = inner.cause
  }
  return undefined
}

export function answerTooLarge(what: string, bytes: number): UnusableAnswer {
  return new UnusableAnswer("too-large", `${what} is larger than ${showBytes(bytes)}, the most that is taken.`)
}
