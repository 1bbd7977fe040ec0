import type { SchemaValidator } from "@byleave/core"
import { type Schema, Validator } from "@cfworker/json-schema"

/** Judges arguments by a tool's schema, without `eval`. */
export const jsonSchema: SchemaValidator = (schema) => {
  const validator = new Validator(schema as Schema, "2020-12", false)
  return (value) =>
    validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)
}
