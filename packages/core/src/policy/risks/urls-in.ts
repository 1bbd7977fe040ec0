import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { firstCharacters } from "../../call/text/first-characters.ts"
import { hostOf } from "../conditions/hosts/url-host.ts"

/** Looks back from each `://` for a scheme: a pattern that begins with the scheme takes quadratic time on hostile text. */
export function* urlsIn(text: string): Generator<string> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    const scheme = /[a-z][a-z0-9+.-]*$/i.exec(text.slice(Math.max(0, at - 12), at))?.[0] ?? ""
    const rest = text.slice(at, at + 2_048)
    const end = rest.search(/[\s"'<>`]/)
    yield scheme + (end < 0 ? rest : rest.slice(0, end))
  }
}

const most = { hosts: 16, urls: 500, values: 4_000, characters: 131_072 } as const

/** The first hosts that the values of a call lead to. Bounded in hosts, addresses, values and characters. */
export function hostsIn(values: readonly JsonObject[]): ReadonlySet<string> {
  const hosts = new Set<string>()
  const waiting: JsonValue[] = values.toReversed()
  let urls = 0
  let characters = 0
  for (let seen = 0; seen < most.values && characters < most.characters; seen += 1) {
    const value = waiting.pop()
    if (value === undefined) break
    if (typeof value === "object" && value !== null && !isRawNumber(value)) {
      waiting.push(...Object.values(value).slice(0, most.values).reverse())
    }
    if (typeof value !== "string") continue
    const text = firstCharacters(value, most.characters - characters)
    characters += text.length
    for (const url of urlsIn(text)) {
      const host = hostOf(url)
      if (host !== null) hosts.add(host)
      urls += 1
      if (hosts.size >= most.hosts || urls >= most.urls) return hosts
    }
  }
  return hosts
}
