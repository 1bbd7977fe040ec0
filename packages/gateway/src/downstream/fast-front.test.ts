/** Everything the front does, once more on connections that take the fast path. */
import { afterAll, beforeAll } from "vitest"
import { useFastPath } from "./fixtures/front-server.ts"

// Files share their process, and what it has loaded, with others.
beforeAll(() => useFastPath(true))
afterAll(() => useFastPath(false))

for (const file of [
  "http-front",
  "legacy/legacy-http",
  "modern/modern-http",
  "open-requests",
  "open-bodies",
  "early-cancelled",
]) {
  const anew = `./${file}.test.ts?fast`
  await import(/* @vite-ignore */ anew)
}
