/**
 * Long work that stops after each small step, so that whoever carries it out may let others have their turn.
 *
 * I1. Nobody waits longer than a slice and one step.
 * I2. Work is told when it has taken as long as it may. It then ends with what it has.
 */
import { type LoopTurns, sliceMs } from "./in-turns.ts"

/** `yield` answers whether the time for all of the work is over. */
export type WorkSteps<Result> = Generator<undefined, Result, boolean>

/** Without turns for others, however long it takes. */
export function allSteps<Result>(steps: WorkSteps<Result>): Result {
  for (;;) {
    const step = steps.next(false)
    if (step.done === true) return step.value
  }
}

/** `mostMs`: of the work itself; while others have their turn, no time passes for it. */
export async function stepsInTurns<Result>(
  steps: WorkSteps<Result>,
  { now, nextTurn }: LoopTurns,
  mostMs = Number.POSITIVE_INFINITY,
): Promise<Result> {
  let worked = 0
  let since = now()
  for (;;) {
    const step = steps.next(worked >= mostMs)
    if (step.done === true) return step.value
    if (now() - since < sliceMs) continue
    worked += now() - since
    await nextTurn()
    since = now()
  }
}

/** The items that pass a test which takes a while. */
export function* filterSteps<Item>(items: Iterable<Item>, test: (item: Item) => boolean): WorkSteps<readonly Item[]> {
  const passed: Item[] = []
  for (const item of items) {
    if (test(item)) passed.push(item)
    yield
  }
  return passed
}

/** Whether some item passes a test which takes a while. */
export function* someSteps<Item>(items: Iterable<Item>, test: (item: Item) => boolean): WorkSteps<boolean> {
  for (const item of items) {
    if (test(item)) return true
    yield
  }
  return false
}

/** The results of all items in one list, each worked out in steps. */
export function* flatSteps<Item, Result>(
  items: Iterable<Item>,
  stepsOf: (item: Item) => WorkSteps<readonly Result[]>,
): WorkSteps<readonly Result[]> {
  const results: Result[] = []
  for (const item of items) {
    for (const result of yield* stepsOf(item)) results.push(result)
    yield
  }
  return results
}
