import { describe, expect, it } from "vitest"
import { durableKinds, missing } from "../faults/store-spec.ts"
import { countSteps, dieAndGoOn, plannedDeaths, raceForLegs } from "./run-deaths.ts"

describe.each(durableKinds)("kill -9 while a run goes on, on %s", (kind) => {
  const why = missing(kind)

  it("some deaths: nothing runs twice, nothing answered is asked again, and the run ends right", async ({ skip }) => {
    skip(why !== null, why ?? "")
    const steps = await countSteps(kind)
    expect(steps).toBeGreaterThan(20)
    const plans = plannedDeaths(steps, 2)
    // A few of the single deaths, and one of a process that had taken over.
    const some = [...plans.slice(0, -2).filter((_, n) => n % 46 === 7), ...plans.slice(-1)]
    let died = 0
    for (const deaths of some) died += await dieAndGoOn(kind, deaths)
    expect(died).toBeGreaterThanOrEqual(some.length)
  })

  it("several processes race for every leg: one has it, and nothing is asked or run twice", async ({ skip }) => {
    skip(why !== null, why ?? "")
    await raceForLegs(kind, 3)
  })
})
