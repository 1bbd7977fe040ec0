import { afterEach, expect, it } from "vitest"
import { ask, legacyCaller, openRelay, type Relay, resultOf } from "./fixtures/open-relay.ts"
import { twoEra } from "./fixtures/two-era.ts"

const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

it.each([
  { name: "no connection that it shares", abilities: {}, times: 0 },
  { name: "the connection that is its own", abilities: { roots: { listChanged: true } }, times: 1 },
])("I3: what a client says of itself reaches $name", async ({ abilities, times }) => {
  const two = twoEra("legacy")
  const relay = await openRelay([two.server])
  opened.push(relay)
  const [backend, caller] = [relay.backend("two"), legacyCaller({ abilities })]
  await resultOf(ask(backend, caller, { method: "tools/list" }))
  await backend.note(caller, { method: "notifications/roots/list_changed" })
  // What was said before it has arrived when this is answered.
  await resultOf(ask(backend, caller, { method: "tools/list" }))
  expect(two.seen("notifications/roots/list_changed")).toHaveLength(times)
})
