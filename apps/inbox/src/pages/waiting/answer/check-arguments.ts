import { createSchemaCheck, SchemaError, type SchemaProblem } from "@byleave/core/schema"
import type { CheckArguments } from "@byleave/ui"

/** Checks edited arguments as the service will, while somebody types. */
export const checkArguments: CheckArguments = (schema, args) => {
  try {
    return createSchemaCheck(schema)(args).map(problemOf)
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause
    return [
      `The tool's schema cannot be used, so edited arguments cannot be checked and are rejected. ${cause.message}`,
    ]
  }
}

function problemOf({ at, keyword, words }: SchemaProblem): string {
  if (keyword === "required" && at === "#") return words
  const [, , ...inner] = at.split("/")
  const place = inner.length === 0 ? "" : `At ${inner.join("/")}: `
  return `${at}: ${place}${words}`
}
