import { createGate, type Gate, type Store } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { withReservedRule } from "./config/reserved-rule.ts"
import { jsonSchema } from "./gateway/json-schema.ts"
import { riskContextOf } from "./risk-context.ts"
import type { ServiceBase } from "./service-base.ts"
import { keepTime } from "./timers.ts"

/** The service's gate, with the timers that expire and forget. */
export async function openGate(
  { live, opened, io, redactor, onTrouble, atEnd }: ServiceBase,
  store: Store,
): Promise<Gate> {
  const { keys } = opened
  const gate = await createGate({
    policy: withReservedRule(live.inForce.policy),
    ...{ store, now: io.now, newId, hasher: nodeHasher, digestKey: keys.digestKey, redactor, onTrouble },
    validator: jsonSchema,
    realPaths: io.realPaths,
    riskContext: (server) => riskContextOf(live.inForce.servers.find(({ id }) => id === server)?.config),
    caseInsensitivePaths: io.platform === "darwin" || io.platform === "win32",
    // A program that runs calls for us looks for a service every second.
    times: { returnMs: 15_000 },
  })
  atEnd(() => gate.close())
  const retention = () => live.inForce.settings.retention
  atEnd(keepTime({ gate, store, now: io.now, retention, onTrouble }))
  return gate
}
