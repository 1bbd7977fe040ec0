import type { ConfigProblem } from "@byleave/formats"
import { problemLines } from "./config/problem-lines.ts"
import { inRow } from "./decide/in-row.ts"
import type { Io } from "./io.ts"
import { createPaint, jsonLines, sentenceLines } from "./terminal/paint.ts"

export type CommandFailure = {
  readonly error: string
  /** `wrong-use`: the command was not called as it can be; `defect`: Byleave itself is wrong. */
  readonly code?: "wrong-use" | "defect"
  readonly problems?: readonly ConfigProblem[]
}

/** Says what went wrong: a sentence for people and, with `--json`, one object for programs. */
export function reportFailure({ error, code, problems = [] }: CommandFailure, json: boolean, io: Io): void {
  io.stderr.write(
    `${problemLines(problems, createPaint(io.stderr, io.env))}${inRow(sentenceLines(error), io.stderr)}\n`,
  )
  if (json) io.stdout.write(jsonLines({ error, code, problems }))
}
