import type { SchemaValidator } from "@byleave/core"
import { createSchemaCheck } from "@byleave/core/schema"

/** Judges arguments by a tool's schema, within bounds whatever the server wrote into it. */
export const jsonSchema: SchemaValidator = (schema) => {
  const check = createSchemaCheck(schema)
  return (value) => check(value).map(({ at, words }) => `${at}: ${words}`)
}
