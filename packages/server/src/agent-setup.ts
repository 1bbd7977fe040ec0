import type { SetupView, UndoneView } from "@byleave/api"
import type { RefusedRequest } from "./refused.ts"

/** Sets up the agents on this machine. `by` is the person who acts, and who is there. */
export type AgentSetup = {
  readonly look: () => Promise<SetupView>
  readonly run: (version: string, by: string) => Promise<SetupView | RefusedRequest>
  readonly undo: (version: string, by: string) => Promise<UndoneView | RefusedRequest>
}
