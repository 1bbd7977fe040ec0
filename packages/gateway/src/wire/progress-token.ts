import { type JsonObject, memberAt, objectAt } from "@byleave/core"

/** Each notice of progress repeats it: a longer one would make a few bytes of a server many. */
const longestToken = 256

/** The token by which a request wants its progress told; undefined: it wants none told, or names nothing that can be a token. */
export function progressTokenOf(params: JsonObject | undefined): string | number | undefined {
  const token = memberAt(objectAt(params, "_meta"), "progressToken")
  if (typeof token === "string") return token.length <= longestToken ? token : undefined
  return typeof token === "number" ? token : undefined
}
