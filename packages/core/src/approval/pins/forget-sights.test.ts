import { expect, it } from "vitest"
import { nodeHasher } from "../../node/hasher.ts"
import { withoutSights } from "./forget-sights.ts"
import { type Pin, programPin } from "./pin.ts"
import { acceptDefinition, observeProgram, observeTools, rejectDefinition, withQuarantine } from "./pins.ts"

const read = { name: "read", description: "Reads a file" }
const reworded = { ...read, description: "Reads any file at all" }

function seen(tool: typeof read, at: number, pins: readonly Pin[] = []): Pin {
  const { puts } = observeTools({ server: "files", tools: [tool], pins, depth: "full", at, hasher: nodeHasher })
  return puts[0] as Pin
}
const answered = (judge: typeof acceptDefinition, pin: Pin): Pin => {
  const verdict = judge(pin, pin.proposed?.fingerprint ?? "", "ann", 30)
  if (!verdict.ok) throw new Error("not proposed")
  return verdict.pin
}
const first = seen(read, 10)
const changed = seen(reworded, 20, [first])

it.each([
  { name: "a first sight of before stays", pin: first, since: 11, left: first },
  { name: "a first sight since then goes", pin: first, since: 10, left: null },
  { name: "a change since then goes, and what was seen before stays", pin: changed, since: 15, left: first },
  { name: "both go that came since then", pin: changed, since: 5, left: null },
  { name: "a change of before stays", pin: changed, since: 25, left: changed },
])("$name", ({ pin, since, left }) => {
  expect(withoutSights(pin, since)).toEqual(left)
})

it("what a person accepted or rejected stays, and so does a quarantine", () => {
  const accepted = answered(acceptDefinition, changed)
  expect(withoutSights(accepted, 5)).toEqual(accepted)
  const rejected = answered(rejectDefinition, changed)
  expect(withoutSights(rejected, 5)).toEqual({ ...rejected, accepted: null })
  const quarantined = withQuarantine(first, { at: 30, by: "ann" })
  expect(withoutSights(quarantined, 5)).toEqual({ ...quarantined, accepted: null })
})

it("of several accepted programs, those stay that a person accepted", () => {
  const program = (words: string) => ({ name: programPin, description: words })
  const ports = { server: "files", depth: "full", at: 10, hasher: nodeHasher } as const
  const one = observeProgram(program("one"), { ...ports, pins: [] })?.pin as Pin
  const two = answered(acceptDefinition, observeProgram(program("two"), { ...ports, pins: [one] })?.pin as Pin)
  expect(two.alsoAccepted).toHaveLength(1)
  const { alsoAccepted: _, ...alone } = two
  expect(withoutSights(two, 5)).toEqual(alone)
})
