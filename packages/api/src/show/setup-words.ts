import { shownName } from "@byleave/core"
import type { SetupServerView } from "../views/setup-view.ts"

/** Everything that an agent's file gives a server beside its command or address, in brackets; empty where that is nothing. */
export function givenWords({ env, takes, folder }: Pick<SetupServerView, "env" | "takes" | "folder">): string {
  const parts = [
    ...(env.length === 0 ? [] : [`sets ${env.map((one) => shownName(one)).join(", ")}`]),
    ...(takes.length === 0 ? [] : [`takes ${takes.map((one) => shownName(one)).join(", ")} from your environment`]),
    ...(folder === null ? [] : [`in ${shownName(folder)}`]),
  ]
  return parts.length === 0 ? "" : ` (${parts.join("; ")})`
}
