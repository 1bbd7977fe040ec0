/**
 * Does what was shown.
 *
 * I1. What is written, moved and approved is made from the texts that were shown; no file is read for another plan. A file that has changed since is refused.
 */
import { checkUnchanged, moveServers, provideTokens, writeEdits } from "./apply-setup.ts"
import { planAgain, type SetupPlan } from "./plan-setup.ts"
import type { SetupHost } from "./setup-host.ts"
import { applyWarnings, type SetupWarnings } from "./token-warnings.ts"

export type SetupDone = {
  readonly plan: SetupPlan
  readonly written: readonly string[]
  readonly warnings: SetupWarnings
}

/** Servers that want a sign-in of their own stay as they are; everything else becomes what was shown, with the tokens it needs. */
export async function runSetup(data: string, shown: SetupPlan, host: SetupHost): Promise<SetupDone> {
  const unmovable = await host.unmovable(shown.moves)
  checkUnchanged(shown)
  const plan = planAgain(shown, { unmovable })
  const clients = plan.files.flatMap(({ found, servers }) =>
    servers.some(({ becomes }) => becomes === "addressed") ? [found.client.id] : [],
  )
  await moveServers(data, plan.moves, host)
  const tokens = await provideTokens(data, [...new Set(clients)], host)
  const { tokenOf } = shown.from.options
  const final = planAgain(shown, { unmovable, tokenOf: (client) => tokens.get(client) ?? tokenOf(client) })
  return { plan: final, written: writeEdits(data, final), warnings: applyWarnings(final) }
}
