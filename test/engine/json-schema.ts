import type { SchemaValidator } from "@byleave/core"
import { type Schema, Validator } from "@cfworker/json-schema"

/** A real validator behind the port. */
export const validateWith: SchemaValidator = (schema) => {
  const validator = new Validator(schema as Schema, "2020-12", false)
  return (value) => validator.validate(value).errors.map((error) => `${error.instanceLocation}: ${error.error}`)
}
