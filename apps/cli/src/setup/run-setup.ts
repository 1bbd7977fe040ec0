import { moveServers, provideTokens, writeEdits } from "./apply-setup.ts"
import { lookAround, type SetupLook } from "./look.ts"
import type { SetupPlan } from "./plan-setup.ts"
import { type SetupHost, SetupRefused } from "./setup-host.ts"
import { applyWarnings, type SetupWarnings } from "./token-warnings.ts"

export type SetupDone = {
  readonly plan: SetupPlan
  readonly written: readonly string[]
  readonly warnings: SetupWarnings
}

/**
 * Does what was shown. Servers that want a sign-in of their own stay as they are; everything else is planned anew with the tokens it needs,
 * and refused where the files are no longer what was shown.
 */
export async function runSetup(look: SetupLook, shown: SetupPlan, host: SetupHost): Promise<SetupDone> {
  const unmovable = await host.unmovable(shown.moves)
  const plan = lookAround({ ...look, unmovable })
  checkSame(shown, plan)
  const clients = plan.files.flatMap(({ found, servers }) =>
    servers.some(({ becomes }) => becomes === "addressed") ? [found.client.id] : [],
  )
  await moveServers(look.data, plan.moves, host)
  await provideTokens(look.data, [...new Set(clients)], host)
  const final = lookAround({ ...look, unmovable })
  checkSame(shown, final)
  return { plan: final, written: writeEdits(look.data, final), warnings: applyWarnings(final) }
}

/** A person said yes to what was shown: another server in a file since then needs another yes. */
function checkSame(shown: SetupPlan, next: SetupPlan): void {
  const facts = (plan: SetupPlan) => plan.files.map(({ found }) => [found.path, "text" in found ? found.text : null])
  if (JSON.stringify(facts(shown)) !== JSON.stringify(facts(next))) {
    throw new SetupRefused("A file has changed since the difference was shown. Run setup again.")
  }
}
