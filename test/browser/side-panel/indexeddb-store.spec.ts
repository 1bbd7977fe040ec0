import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { PageResult } from "../fixtures/store-suite/vitest-in-page.ts"
import { expect, test } from "../fixtures/test.ts"

const folder = fileURLToPath(new URL("../fixtures/store-suite/", import.meta.url))

/** The contract of stores, bundled for a page. */
async function suiteForPage(): Promise<string> {
  const bundle = await build({
    entryPoints: [`${folder}suite.ts`],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    target: "es2024",
    logLevel: "silent",
    alias: {
      vitest: `${folder}vitest-in-page.ts`,
      "node:crypto": `${folder}node-in-page.ts`,
      "@byleave/core/node": `${folder}node-in-page.ts`,
    },
  })
  return bundle.outputFiles[0]?.text ?? ""
}

test("the IndexedDB store passes the contract of all stores, in a real Chromium", async ({ page }) => {
  const suite = await suiteForPage()
  await page.route("http://store.localhost/**", (route) =>
    route.request().url().endsWith("/suite.js")
      ? route.fulfill({ contentType: "text/javascript", body: suite })
      : route.fulfill({ contentType: "text/html", body: "<!doctype html><script src=/suite.js></script>" }),
  )
  await page.goto("http://store.localhost/")
  const results = await page.evaluate<readonly PageResult[]>("runSuites()")
  const failures = results.flatMap(({ title, error }) => (error === null ? [] : [`${title}: ${error}`]))
  expect(failures).toEqual([])
  expect(results.length).toBeGreaterThan(100)
})
