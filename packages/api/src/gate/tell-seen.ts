import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { LaunchSwitch } from "./gate-wire.ts"

export type SeenClient = {
  readonly agent: string
  readonly session: { readonly id: string; readonly named: boolean }
  readonly client: string | null
  readonly folder: string | null
  readonly switches?: readonly LaunchSwitch[]
}

/** Tells the service which client a program stands before. People are shown it; nothing depends on it, so nothing fails by it. */
export async function tellSeen(
  transport: GateTransport,
  { agent, session, client, folder, switches = [] }: SeenClient,
): Promise<void> {
  const { id, named } = session
  const from = { agent, session: { id, named } }
  const given = switches.length === 0 ? {} : { switches }
  const said = { from, client: cut(client, 1_000), folder: cut(folder, 10_000), ...given }
  await transport.post(gatePaths.seen, JSON.stringify(said), { isLate: true }).catch(() => undefined)
}

function cut(text: string | null, longest: number): string | null {
  return text === null ? null : text.slice(0, longest).toWellFormed()
}
