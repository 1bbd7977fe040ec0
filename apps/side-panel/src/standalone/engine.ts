import type { Gate, Policy, SchemaValidator, Store } from "@byleave/core"
import type { Runs } from "@byleave/runs"
import type { PanelSettings } from "../settings/settings.ts"

/** Gate, store and loop of a panel that stands alone. */
export type Engine = {
  readonly gate: Gate
  readonly store: Store
  readonly policy: () => Policy
  readonly settings: () => PanelSettings
  readonly validator: SchemaValidator
  /** Forgets what is known of servers that are not in the settings any more, and cancels their calls. */
  readonly forgetRemoved: () => Promise<void>
  /** Takes keys and headers out of a text. */
  readonly redactText: (text: string) => string
  readonly runs: () => Promise<Runs>
  /** The loop where it is loaded; null: nobody has used it yet. */
  readonly loaded: () => Runs | null
  /** Resolves when another document took over. */
  readonly lost: Promise<void>
  readonly close: () => Promise<void>
}

export const notebookServer = "notebook"

export function serverIds({ servers }: Pick<PanelSettings, "servers">): string[] {
  return [notebookServer, ...servers.map(({ id }) => id)]
}

export const ownModel = "your model"
