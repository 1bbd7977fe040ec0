import { builtinModules } from "node:module"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

it("the loop of agent runs bundles for a browser, and asks for nothing of Node", async () => {
  const bundled = await build({
    stdin: {
      contents: 'export { createAgent, createRuns, openModel, openRun } from "@byleave/runs"',
      resolveDir: `${root}packages/runs`,
    },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2024",
    logLevel: "silent",
  })
  const asked = Object.values(bundled.metafile.inputs).flatMap(({ imports }) =>
    imports.filter(({ external }) => external),
  )
  expect(asked.map(({ path }) => path)).toEqual([])
  const inputs = Object.keys(bundled.metafile.inputs)
  expect(inputs.filter((path) => path.includes("runs/src/state"))).toEqual([])
  expect(inputs.filter((path) => builtinModules.includes(path) || path.includes("(disabled)"))).toEqual([])
  expect(inputs.some((path) => path.endsWith("runs/src/loop/run-leg.ts"))).toBe(true)
})
