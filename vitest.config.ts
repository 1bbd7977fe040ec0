import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { configDefaults, defineConfig } from "vitest/config"

// Suites start hundreds of processes of the same few programs, which would each be compiled anew.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL(".cache/compiled", import.meta.url))

export default defineConfig({
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/*/{src,workbench}/**/*.test.ts", "test/**/*.test.ts"],
    // Suites that take long run only when they are asked for: `npm run nightly`.
    exclude: [...configDefaults.exclude, ...(process.env.BYLEAVE_NIGHTLY === undefined ? ["test/nightly/**"] : [])],
    // A worker keeps the modules it has loaded from file to file: loading them anew for each cost a third of all the time.
    isolate: false,
    // Much of a suite's time is waiting for processes it started, so there is a worker more than processors.
    maxWorkers: availableParallelism() + 1,
    // Only against what never ends: a build or a dozen processes take a minute on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A poll may wait for the start of a process, which takes seconds on a busy machine; the default is one.
    expect: { poll: { timeout: 30_000 } },
  },
})
