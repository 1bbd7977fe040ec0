import type { Policy } from "@byleave/core"
import type { ReviewerSettings, ServerConfig } from "./config.ts"

/** What a reader of one format makes of a file; `loadConfig` completes it. */
export type Draft = {
  readonly servers: readonly ServerConfig[]
  readonly policy: Omit<Policy, "version" | "servers">
  readonly reviewers: ReviewerSettings
}
