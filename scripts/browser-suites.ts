/** The page in a real Chromium, before the real service; with `--nightly`, also what takes long, each test with a service of its own. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

export type BrowserTally = { readonly passed: number; readonly failed: number; readonly skipped: number }

export async function runBrowserSuites(args: readonly string[] = []): Promise<BrowserTally> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-browser-"))
  const report = join(folder, "report.json")
  try {
    const command = [
      join(root, "node_modules/@playwright/test/cli.js"),
      "test",
      "-c",
      "test/browser/playwright.config.ts",
    ]
    const child = spawn(process.execPath, [...command, "--reporter=list,json", ...args], {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
      },
    })
    const [code] = await once(child, "exit")
    return tallyOf(report, code === 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tallyOf(report: string, isGood: boolean): BrowserTally {
  const { stats } = JSON.parse(readFileSync(report, "utf8")) as {
    stats: { expected: number; unexpected: number; skipped: number }
  }
  const { expected, unexpected, skipped } = stats
  return { passed: expected, failed: isGood ? unexpected : Math.max(1, unexpected), skipped }
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  if (args.includes("--nightly")) process.env.BYLEAVE_NIGHTLY = "all"
  const { passed, failed, skipped } = await runBrowserSuites(args.filter((each) => each !== "--nightly"))
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
  process.exitCode = failed > 0 ? 1 : 0
}
