/** Everything the front does, once more on connections that take the short way. */
import { goShort } from "./fixtures/front-server.ts"

goShort()
await import("./http-front.test.ts")
await import("./legacy-http.test.ts")
await import("./modern-http.test.ts")
