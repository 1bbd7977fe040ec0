/** The page with 10,000 waiting calls, in Chromium: the numbers that `npm run many` holds to their limits. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runBrowserSuites } from "../../scripts/browser-suites.ts"
import { findChromium, howToGetChromium } from "../../scripts/chromium.mjs"

/** What was measured, in the words of the suite; a run that fails keeps what it had measured. */
export type ManyNumbers = ReadonlyArray<{ readonly what: string; readonly value: number }>

/** By `apart`; therefore a text. */
export async function measureMany(updates = "5000"): Promise<ManyNumbers> {
  if (findChromium() === undefined) throw new Error(howToGetChromium)
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const file = join(folder, "numbers.jsonl")
  process.env.BYLEAVE_MANY_NUMBERS = file
  process.env.BYLEAVE_UPDATES = updates
  process.env.BYLEAVE_NIGHTLY = "all"
  try {
    const { failed } = await runBrowserSuites(["many"])
    if (!existsSync(file))
      throw new Error(failed > 0 ? "The suite failed before it measured." : "Nothing was measured.")
    const lines = readFileSync(file, "utf8").trim().split("\n")
    return lines.map((line) => JSON.parse(line) as ManyNumbers[number])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
