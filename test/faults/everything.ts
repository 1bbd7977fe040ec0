import { it, type TestFunction } from "vitest"

/** Whether all is tried, as `npm run faults` and the night do, and not only the part that every test run takes. */
export const everything = process.env.BYLEAVE_FAULTS === "all"

/** For what takes long and has a likeness that runs with every change. */
export function itAtNight(name: string, body: TestFunction): void {
  if (everything) it(name, body)
}
