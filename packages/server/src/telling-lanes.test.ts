import { expect, it } from "vitest"
import { createTellingLanes } from "./telling-lanes.ts"

const of = { token: "prog", program: "a", server: "one" }

/** Its clock goes on by what is rested. */
function open() {
  const seen = { now: 0, restedMs: 0 }
  const pause = async (ms: number): Promise<void> => {
    seen.restedMs += ms
    seen.now += ms
  }
  return { seen, lanes: createTellingLanes({ now: () => seen.now, pause }) }
}

it("I1: tellings of one server that were asked for together go in order, and rest in between", async () => {
  const { lanes, seen } = open()
  const order: string[] = []
  const tell = (name: string) =>
    lanes.inTurn(of, async ({ after }) => {
      order.push(`${name} at ${seen.now}`)
      after({ began: seen.now, tools: 1, characters: 1, changes: 5 })
    })
  await Promise.all(["first", "second", "third"].map(tell))
  expect(order).toEqual(["first at 0", "second at 100", "third at 200"])
})

it("I1: one that fails keeps none behind it", async () => {
  const { lanes } = open()
  const failed = lanes.inTurn(of, () => Promise.reject(new Error("no")))
  const next = lanes.inTurn(of, async () => "told")
  await expect(failed).rejects.toThrow("no")
  expect(await next).toBe("told")
})

it("I2: programs whose rest is over are forgotten, and no other", async () => {
  const { lanes, seen } = open()
  await lanes.inTurn(of, async ({ after }) => after({ began: 0, tools: 1, characters: 1, changes: 5 }))
  for (let at = 0; at < 100; at++) await lanes.inTurn({ ...of, program: `line ${at}` }, async () => {})
  expect(lanes.count()).toBe(2)
  seen.now = 100
  await lanes.inTurn({ ...of, program: "last" }, async () => {})
  expect(lanes.count()).toBe(1)
})
