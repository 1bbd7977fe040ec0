import { defaultJsonValues, readJson, type StillWanted } from "@byleave/core"
import type { z } from "zod"
import { type GateAnswer, problem } from "./gate-answer.ts"
import type { GateIdentity } from "./gate-context.ts"

/** `name`: what the address names, where it names something. `isWanted`: of the answer, whether the sender is there and its credential counts. */
export type PostRoute = (
  text: string,
  who: GateIdentity,
  name: string,
  isWanted: StillWanted,
) => Promise<GateAnswer> | GateAnswer

/** Makes a route of what answers a body of this shape. */
export type PostReader = <Schema extends z.ZodType>(
  schema: Schema,
  answer: (
    body: z.output<Schema>,
    who: GateIdentity,
    name: string,
    isWanted: StillWanted,
  ) => Promise<GateAnswer> | GateAnswer,
) => PostRoute

/** The most values that an agent may send in one message, and as many again from its program. */
export const mostValues = 2 * defaultJsonValues
/** Listings and results are a server's words: nobody holds or shows them value by value. */
export const mostValuesOfServers = 4 * defaultJsonValues

export function readPost(limits: { readonly bytes: number; readonly values: number }): PostReader {
  return (schema, answer) => (text, who, name, isWanted) => {
    const read = readJson(text, limits)
    if (!read.ok) return problem("bad-body", read.problem.message)
    const parsed = schema.safeParse(read.value)
    if (!parsed.success) return problem("bad-body", parsed.error.issues.map(sayIssue).join("; "))
    return answer(parsed.data, who, name, isWanted)
  }
}

function sayIssue({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string {
  return path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
}
