import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runBrowserSuites } from "../../scripts/browser-suites.ts"
import { findChromium, howToGetChromium } from "../../scripts/chromium.mjs"

/** Measurements, in the words of the suite; a run that fails keeps those it had taken. */
export type SuiteNumbers = ReadonlyArray<{ readonly what: string; readonly value: number }>

/** Runs suites of the browser that tell numbers. */
export async function measureSuites(names: readonly string[]): Promise<SuiteNumbers> {
  if (findChromium() === undefined) throw new Error(howToGetChromium)
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const file = join(folder, "numbers.jsonl")
  process.env.BYLEAVE_SUITE_NUMBERS = file
  process.env.BYLEAVE_NIGHTLY = "all"
  try {
    const { failed } = await runBrowserSuites(names)
    if (!existsSync(file))
      throw new Error(failed > 0 ? "The suite failed before it measured." : "Nothing was measured.")
    const lines = readFileSync(file, "utf8").trim().split("\n")
    return lines.map((line) => JSON.parse(line) as SuiteNumbers[number])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
