import type { SchemaValidator } from "@byleave/core"
import { createSchemaCheck } from "@byleave/core/schema"

/** The real validator behind the port. */
export const validateWith: SchemaValidator = (schema) => {
  const check = createSchemaCheck(schema)
  return (value) => check(value).map(({ at, words }) => `${at}: ${words}`)
}
