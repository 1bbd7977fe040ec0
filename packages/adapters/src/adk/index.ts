export { AdapterError } from "../call/adapter-error.ts"
export type { AdapterOptions } from "../call/adapter-options.ts"
export type { PermissionResult } from "../call/permission-result.ts"
export { gated } from "./gated.ts"
