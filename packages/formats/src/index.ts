export type {
  Config,
  ConfigFormat,
  LoadResult,
  ReviewerSettings,
  ServerConfig,
  ServiceSettings,
  Transport,
} from "./config.ts"
export type { LoadOptions } from "./load-config.ts"
export { loadConfig } from "./load-config.ts"
export type { ConfigProblem, ConfigProblemCode } from "./problem.ts"
export { nearestWord } from "./read/did-you-mean.ts"
export { formatDuration, parseDuration } from "./read/duration.ts"
export type { Environment } from "./read/environment.ts"
export { expandEnvironment } from "./read/environment.ts"
export type { ApprovalMode } from "./read/read-server.ts"
export { defaultService } from "./read/read-service.ts"
export { isCredentialName } from "./read/read-transport.ts"
export { configSchema } from "./schema/config-schema.ts"
export type { SchemaNode } from "./schema/schema-node.ts"
export type { ConfigEdit, EditRefusal, EditResult } from "./text/edit-config.ts"
export { editConfig } from "./text/edit-config.ts"
export type { WrittenRule } from "./text/written-rule.ts"
export { writtenRule } from "./text/written-rule.ts"
