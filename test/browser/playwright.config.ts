import { fileURLToPath } from "node:url"
import { defineConfig } from "@playwright/test"
import { findChromium } from "../../scripts/chromium.mjs"

const executablePath = findChromium()

export default defineConfig({
  testDir: ".",
  testMatch: "**/*.spec.ts",
  outputDir: fileURLToPath(new URL("../../.cache/browser", import.meta.url)),
  snapshotPathTemplate: "{testDir}/pictures/{arg}{ext}",
  // Each test has a service of its own; two at once are what two processors carry.
  workers: process.env.CI === "true" ? 2 : 1,
  fullyParallel: false,
  timeout: 60_000,
  retries: 0,
  forbidOnly: process.env.CI === "true",
  reporter: [["list"]],
  expect: {
    timeout: 10_000,
    toHaveScreenshot: { animations: "disabled", caret: "hide", scale: "css", maxDiffPixelRatio: 0.02 },
  },
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    trace: "retain-on-failure",
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
