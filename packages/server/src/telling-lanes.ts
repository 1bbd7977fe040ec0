/**
 * The tellings of one program about one server: each begins once the rest after the one before is over. Nobody else waits meanwhile.
 *
 * I1. What a program tells of a server is told in its order, and rests in between, also where all of it was said at once.
 * I2. Nothing is remembered of a program that has nothing waiting and whose rest is over.
 */
import { createTellingRest, type Pace, type TellingRest } from "@byleave/core"
import type { OneProgram } from "./guard/shared-room.ts"

export type TellingLanes = {
  /** `work` is given the rest that follows it. */
  readonly inTurn: <Result>(of: LaneOf, work: (rest: TellingRest) => Promise<Result>) => Promise<Result>
  readonly count: () => number
}

export type LaneOf = OneProgram & { readonly server: string }

type Lane = { readonly rest: TellingRest; waiting: number; last: Promise<unknown> }

export function createTellingLanes(pace: Pace): TellingLanes {
  const lanes = new Map<string, Lane>()
  const forgetIdle = (): void => {
    for (const [key, { rest, waiting }] of lanes) if (waiting === 0 && rest.isOver()) lanes.delete(key)
  }
  return {
    inTurn: async ({ token, program, server }, work) => {
      forgetIdle()
      const key = JSON.stringify([token, program, server])
      const lane = lanes.get(key) ?? { rest: createTellingRest(pace), waiting: 0, last: Promise.resolve() }
      lanes.set(key, lane)
      lane.waiting += 1
      const result = lane.last.then(lane.rest.over).then(() => work(lane.rest))
      const ended = (): void => {
        lane.waiting -= 1
      }
      lane.last = result.then(ended, ended)
      return result
    },
    count: () => lanes.size,
  }
}
