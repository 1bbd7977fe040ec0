import type { JsonObject } from "@byleave/core"
import { LinkError } from "../link.ts"

/** Characters of JSON: every connection keeps what its server said of itself. */
const longestHello = 1_000_000

/** Throws where a server says more of itself than anyone needs. */
export function mustBeShort(hello: JsonObject): JsonObject {
  if (JSON.stringify(hello).length <= longestHello) return hello
  throw new LinkError(
    "malformed",
    `The server describes itself in more than ${longestHello / 1_000_000} MB. Shorten its instructions, icons or capabilities.`,
  )
}
