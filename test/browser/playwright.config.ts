import { fileURLToPath } from "node:url"
import { defineConfig } from "@playwright/test"
import { findChromium } from "../../scripts/chromium.mjs"

const executablePath = findChromium()
// Each test starts a service: as the bundle, which is there, since the page lies in it, and as compiled by the one before.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../../.cache/compiled", import.meta.url))
process.env.BYLEAVE_TEST_PROGRAM = fileURLToPath(new URL("../../apps/cli/dist/byleave.js", import.meta.url))

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  // It measures, for minutes, and so has a command of its own: npm run many.
  testIgnore: process.env.BYLEAVE_MANY === "1" ? [] : ["**/many.spec.ts"],
  outputDir: fileURLToPath(new URL("../../.cache/browser", import.meta.url)),
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  // Each test has a service of its own, so the tests of one file run beside each other; two at once are what two processors carry.
  workers: process.env.CI === "true" ? 2 : 1,
  fullyParallel: true,
  timeout: 60_000,
  // A browser on a busy machine may be late once; what fails twice fails.
  retries: process.env.CI === "true" ? 2 : 0,
  forbidOnly: process.env.CI === "true",
  reporter: [["list"]],
  expect: {
    timeout: 10_000,
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
      ],
    },
  },
})
