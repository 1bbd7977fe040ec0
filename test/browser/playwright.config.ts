import { isAbsolute } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "@playwright/test"
import { findChromium } from "../../scripts/chromium.mjs"

const executablePath = findChromium()
// Tests start services: as the bundle, which is there, since the page lies in it, and as compiled by the one before.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../../.cache/compiled", import.meta.url))
process.env.BYLEAVE_TEST_PROGRAM ??= fileURLToPath(new URL("../../apps/cli/dist/byleave.js", import.meta.url))

const pictures = process.env.BYLEAVE_PICTURES ?? ""

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  // What takes minutes and rarely breaks: npm run nightly.
  ...(process.env.BYLEAVE_NIGHTLY === undefined ? { testIgnore: ["**/nightly/**"], grepInvert: /@nightly/ } : {}),
  outputDir: fileURLToPath(new URL("../../.cache/browser", import.meta.url)),
  snapshotPathTemplate: `${isAbsolute(pictures) ? pictures : "{testDir}/pictures"}/{arg}{ext}`,
  // Each worker has a service and a browser of its own, so the tests of one file run beside each other; two are what two processors carry.
  workers: process.env.CI === "true" ? 2 : 1,
  fullyParallel: true,
  // Both only against what never ends: a busy machine takes many times as long as a quiet one.
  timeout: 120_000,
  retries: 0,
  forbidOnly: process.env.CI === "true",
  reporter: [["list"]],
  expect: {
    timeout: 30_000,
    toHaveScreenshot: { animations: "disabled", caret: "hide", scale: "css", maxDiffPixelRatio: 0.02 },
  },
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    // What fades is looked at when it has faded.
    contextOptions: { reducedMotion: "reduce" },
    // Watching costs as much as the test itself.
    trace: process.env.CI === "true" ? "off" : "retain-on-failure",
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--font-render-hinting=none",
        // Pages of one service share a process, which has compiled them already.
        "--process-per-site",
        "--disable-features=SpareRendererForSitePerProcess",
      ],
    },
  },
})
