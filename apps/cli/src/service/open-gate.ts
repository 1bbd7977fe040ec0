import { setTimeout as pause } from "node:timers/promises"
import { createGate, type Effect, type Gate } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import { type SessionFacts, sightingOf } from "@byleave/server"
import { policyPortsOf } from "../policy-ports.ts"
import { ownServer, policyAtGate } from "./config/reserved-rule.ts"
import { hearingFirst } from "./gateway/hearing-first.ts"
import { jsonSchema } from "./gateway/json-schema.ts"
import { keepTime } from "./process/timers.ts"
import { riskContextOf } from "./risk-context.ts"
import type { ServiceBase } from "./service-base.ts"

/** The service's gate, with the timers that expire and forget, and how many calls got which decision since it opened. */
export async function openGate(
  { live, opened, io, redactor, judging, onTrouble, atEnd }: ServiceBase,
  facts: Pick<SessionFacts, "see">,
): Promise<{ readonly gate: Gate; readonly judged: ReadonlyMap<Effect, number> }> {
  const { keys, store } = opened
  const judged = new Map<Effect, number>([
    ["allow", 0],
    ["ask", 0],
    ["deny", 0],
    ["hide", 0],
  ])
  const gate = await createGate({
    policy: policyAtGate(live.inForce),
    ...{ store, now: io.now, newId, hasher: nodeHasher, digestKey: keys.digestKey, redactor, onTrouble },
    validator: jsonSchema,
    ...policyPortsOf(io),
    riskContext: (server) => riskContextOf(live.inForce.servers.find(({ id }) => id === server)?.config),
    judging,
    forAll: opened.forAll,
    // A program that runs calls for us looks for a service every second.
    times: { returnMs: 15_000 },
    onCall: (call) => {
      if (call.principal.id !== ownServer) facts.see(sightingOf(call))
    },
    onJudged: (effect) => judged.set(effect, (judged.get(effect) ?? 0) + 1),
  })
  atEnd(() => gate.close())
  const retention = () => live.inForce.settings.retention
  atEnd(keepTime({ gate, store, now: io.now, retention, onTrouble }))
  const { others } = store
  if (others === undefined) return { gate, judged }
  return { gate: hearingFirst(gate, { hear: others.hear, follow: () => live.followPolicy(), pause }), judged }
}
