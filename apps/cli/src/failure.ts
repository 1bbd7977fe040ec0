import type { Problem } from "@byleave/formats"
import type { Io } from "./io.ts"
import { createPaint, jsonLines, sentenceLines } from "./paint.ts"
import { problemLines } from "./problem-lines.ts"

export type Failure = {
  readonly error: string
  /** `wrong-use`: the command was not called as it can be; `defect`: Byleave itself is wrong. */
  readonly code?: "wrong-use" | "defect"
  readonly problems?: readonly Problem[]
}

/** Says what went wrong: a sentence for people and, with `--json`, one object for programs. */
export function reportFailure({ error, code, problems = [] }: Failure, json: boolean, io: Io): void {
  io.stderr.write(`${problemLines(problems, createPaint(io.stderr, io.env))}${sentenceLines(error)}\n`)
  if (json) io.stdout.write(jsonLines({ error, code, problems }))
}
