import type { ModelView } from "@byleave/api"

/** The model and the servers of a thread, and those there are to choose from. */
export type ThreadSetup = {
  /** `none`: no model is configured. */
  readonly models: readonly ModelView[] | "loading" | "none"
  readonly servers: readonly string[]
  readonly model: string
  readonly usedServers: readonly string[]
  readonly onModel: (model: string) => void
  readonly onServers: (servers: readonly string[]) => void
}
