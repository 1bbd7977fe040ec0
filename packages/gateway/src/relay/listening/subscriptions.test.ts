import fc from "fast-check"
import { expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { legacyCaller } from "../fixtures/open-relay.ts"
import { createSubscriptions } from "./subscriptions.ts"

const caller = legacyCaller()

function open(uris: readonly string[]) {
  const subscriptions = createSubscriptions()
  for (const uri of uris) subscriptions.add({ uri, caller, holder: "c1" })
  return subscriptions
}

it("a resource matches what is subscribed by its own name, or by a beginning of it, as looking through all says", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "\u{1f600}"), maxLength: 5 })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), text, text, (uris, uri, gone) => {
      const subscriptions = open(uris)
      for (const dropped of ["", gone]) {
        subscriptions.drop(dropped, "c1")
        const left = uris.filter((kept) => kept !== "" && (dropped === "" || kept !== dropped))
        const wanted = left.filter((above) => uri.startsWith(above))
        const expected = wanted.length === 0 ? null : wanted.includes(uri) ? "named" : "below"
        expect(subscriptions.match(uri, "c1")).toBe(expected)
        expect(subscriptions.match(uri, "c2")).toBeNull()
      }
    }),
  )
})

it("a notice takes hardly more work with many subscriptions than with few", () => {
  const beginning = "x".repeat(400)
  const match = (names: string) => {
    const subscriptions = open(Array.from({ length: names.length / 400 }, (_, at) => `${beginning}${at}y`))
    for (let left = 20_000; left > 0; left--) subscriptions.match(`${beginning}${left}z`, "c1")
  }
  expect(growthOf(match, beginning.repeat(50))).toBeLessThan(1.6)
})
