import { expect, it } from "vitest"
import { createSourcePace, type PausableSource, sharedPauses } from "./source-pace.ts"

/** A source that can be read as long as nobody paused it. */
function sourceCalled(name: string, log: string[]): PausableSource {
  return { pause: () => log.push(`${name} waits`), resume: () => log.push(`${name} goes on`) }
}

function turnsByHand() {
  let turn: () => void = () => {}
  return {
    nextTurn: () =>
      new Promise<void>((resolve) => {
        turn = resolve
      }),
    take: async () => {
      turn()
      for (let ticks = 0; ticks < 5; ticks++) await null
    },
  }
}

const much = { events: 900, bytes: 65_536 }
const batches = { events: 2, bytes: 65_536 }

it("I1: sources that send much are read on one a turn, in the order of their coming; one that sends little never waits", async () => {
  const log: string[] = []
  const { nextTurn, take } = turnsByHand()
  const pace = createSourcePace(nextTurn)
  const [a, b, c] = ["a", "b", "c"].map((name) => sourceCalled(name, log))
  if (a === undefined || b === undefined || c === undefined) throw new Error("three sources")
  pace.came(a, much)
  pace.came(b, batches)
  pace.came(c, { events: 2, bytes: 300 })
  pace.came(c, { events: 0, bytes: 65_536 })
  expect(log.splice(0)).toEqual(["a waits", "b waits"])
  await take()
  expect(log.splice(0)).toEqual(["a goes on"])
  pace.came(a, much)
  await take()
  expect(log.splice(0)).toEqual(["a waits", "b goes on"])
  await take()
  await take()
  expect(log.splice(0)).toEqual(["a goes on"])
})

it("a source that several pause is read on once all of them let it", () => {
  const log: string[] = []
  const shared = sharedPauses(sourceCalled("a", log))
  shared.pause()
  shared.pause()
  shared.resume()
  expect(log).toEqual(["a waits"])
  shared.resume()
  shared.resume()
  expect(log).toEqual(["a waits", "a goes on"])
})
