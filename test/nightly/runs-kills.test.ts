// Takes about ten minutes: more than a hundred deaths for each store.
import { describe, expect, it } from "vitest"
import { durableKinds, missing } from "../faults/store-spec.ts"
import { countSteps, dieAndGoOn, plannedDeaths } from "../runs/run-deaths.ts"

describe.each(durableKinds)("kill -9 at everything a run writes, on %s", (kind) => {
  const why = missing(kind)

  it("nothing runs twice, nothing answered is asked again, and the run ends right", { timeout: 1_800_000 }, async ({
    skip,
  }) => {
    skip(why !== null, why ?? "")
    const steps = await countSteps(kind)
    let died = 0
    for (const deaths of plannedDeaths(steps, 20)) died += await dieAndGoOn(kind, deaths)
    console.log(`${kind}: ${died} processes died at ${steps} steps and at the server`)
    expect(died).toBeGreaterThanOrEqual(100)
  })
})
