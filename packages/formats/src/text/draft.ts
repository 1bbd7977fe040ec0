import type { Policy } from "@byleave/core"
import type { ModelSettings, ServerConfig, ServiceSettings } from "../config.ts"

/** The result of reading a file of one format; `loadConfig` completes it. */
export type ConfigDraft = {
  readonly servers: readonly ServerConfig[]
  /** The ids of all servers in the file, also of those that could not be read. */
  readonly named: readonly string[]
  readonly models: readonly ModelSettings[]
  readonly policy: Omit<Policy, "version" | "servers">
  readonly service: ServiceSettings
}
