/** Everything the front does, once more on connections that take the fast path. */
import { useFastPath } from "./fixtures/front-server.ts"

useFastPath()
await import("./http-front.test.ts")
await import("./legacy/legacy-http.test.ts")
await import("./modern/modern-http.test.ts")
await import("./open-requests.test.ts")
await import("./open-bodies.test.ts")
