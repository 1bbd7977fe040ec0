export { createSchemaCheck } from "./check-schema.ts"
export type { SchemaProblem } from "./checking.ts"
export { SchemaError } from "./work.ts"
