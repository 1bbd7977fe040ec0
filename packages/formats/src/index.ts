export type {
  Config,
  ConfigFormat,
  LoadResult,
  ReviewerSettings,
  ServerConfig,
  ServiceSettings,
  Transport,
} from "./config.ts"
export { nearestWord } from "./did-you-mean.ts"
export { formatDuration, parseDuration } from "./duration.ts"
export type { ConfigEdit, EditRefusal, EditResult } from "./edit-config.ts"
export { editConfig } from "./edit-config.ts"
export type { Environment } from "./environment.ts"
export { expandEnvironment } from "./environment.ts"
export type { LoadOptions } from "./load-config.ts"
export { loadConfig } from "./load-config.ts"
export type { Problem, ProblemCode } from "./problem.ts"
export type { ApprovalMode } from "./read-server.ts"
export { defaultService } from "./read-service.ts"
export { isCredentialName } from "./read-transport.ts"
export { configSchema } from "./schema/config-schema.ts"
export type { SchemaNode } from "./schema/schema-node.ts"
export type { WrittenRule } from "./written-rule.ts"
export { writtenRule } from "./written-rule.ts"
