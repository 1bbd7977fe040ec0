/** The page with 10,000 waiting calls, in Chromium: the numbers that `npm run many` holds to their limits. */
import { measureSuites, type SuiteNumbers } from "./measure-suites.ts"

/** By `apart`; therefore a text. */
export function measureMany(updates = "5000"): Promise<SuiteNumbers> {
  process.env.BYLEAVE_UPDATES = updates
  return measureSuites(["many"])
}
