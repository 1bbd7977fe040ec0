import { afterEach, expect, it } from "vitest"
import { ask, callOf, legacyCaller, openRelay, policyOf, type Relay, resultOf, rule } from "../fixtures/open-relay.ts"
import { twoEra } from "../fixtures/two-era.ts"

let relay: Relay | undefined
afterEach(() => relay?.close())

async function startedFor(rules: Parameters<typeof policyOf>[0], declared: object) {
  const two = twoEra("legacy")
  relay = await openRelay([two.server], { policy: policyOf([rule("allow", "two(*)"), ...rules]) })
  const backend = relay.backend("two")
  for (let n = 0; n < 6; n += 1) {
    const caller = legacyCaller({ conversation: `c${n}`, abilities: { ...declared } })
    await backend.hello(caller)
    await resultOf(ask(backend, caller, callOf("echo")))
  }
  return two.seen("initialize")
}

it("conversations share one process where policy refuses all that they could be asked", async () => {
  const started = await startedFor([rule("deny", "two(roots)")], { roots: { listChanged: true } })
  expect(started).toHaveLength(1)
  expect(started[0]).not.toContain("roots")
})

it("a conversation that may be asked something has a process of its own, and is asked only that", async () => {
  const started = await startedFor([rule("hide", "two(roots)")], { roots: {}, elicitation: {} })
  expect(started).toHaveLength(6)
  expect(started.filter((line) => line.includes("roots"))).toEqual([])
})
