/**
 * The ways in which a server may read the name of a resource or prompt. These names are not listed beforehand, as tools are, so an agent can
 * write one differently from the rule that is about it.
 *
 * I1. A name as it is written is always among its readings.
 * I2. Two spellings that a URI's reader may take for one resource share a reading: percent codes, dot segments, more slashes than needed,
 *     fewer of them behind the scheme, backslashes, blanks at the ends, capital letters in scheme and host, the host of `file:`, a query or
 *     fragment behind it, or a fragment behind its query; a user before the host and a port behind it; in addresses of the web also other
 *     spellings of the host, and only the port that is meant without one.
 *     It does not matter in which order a reader decodes, resolves and cuts.
 */
import { normalizeText } from "../../call/text/normalize-text.ts"
import { webHref } from "../conditions/hosts/web-host.ts"
import type { TakeWork } from "../conditions/judging-work.ts"
import { hostSpellings, slashForms, userlessForms } from "./host-spellings.ts"
import { withoutEmptySegments } from "./resolve-dots.ts"
import type { TargetKind } from "./rule.ts"
import { type UriReading, uriReadings } from "./uri-readings.ts"

/** Returns the readings by which a deny, ask or hide holds: one is enough. Null: there are too many to tell, and the name may mean anything. */
export function looseReadings(kind: TargetKind, name: string, take: TakeWork): readonly string[] | null {
  if (kind !== "resource") return [name]
  const readings = uriReadings(name, rewrittenForms, take)
  return readings === null ? null : [...new Set([name, ...readings.flatMap(looseTexts)])]
}

/** Official SDKs look a resource up by its address as the web's parser writes it. */
function rewrittenForms(head: string): readonly string[] {
  const href = webHref(head)
  return href === null ? slashForms(head) : [...slashForms(head), href]
}

function looseTexts({ head, tail }: UriReading): readonly string[] {
  return hostSpellings(head).flatMap((spelled) => {
    const short = withoutEmptySegments(spelled)
    // Functions that resolve paths take a final slash off.
    const bare = short.endsWith("/") ? [short, short.slice(0, -1)] : [short]
    return tail === "" ? bare : [...bare, short + tail]
  })
}

/** What an allow has to cover: all of them. Some readers ignore the user before a host, the query and fragment, or the fragment alone. */
export type StrictReadings = {
  readonly whole: readonly string[]
  readonly withoutUser: readonly string[]
  readonly withoutQuery: readonly string[]
  readonly withoutFragment: readonly string[]
}

/** Returns the readings by which an allow holds. Null: there are too many to tell. */
export function strictReadings(kind: TargetKind, name: string, take: TakeWork): StrictReadings | null {
  if (kind !== "resource") return { whole: [name], withoutUser: [], withoutQuery: [], withoutFragment: [] }
  const readings = uriReadings(name, () => [], take)
  if (readings === null) return null
  const whole = readings.map(({ head, tail }) => withoutEmptySegments(head) + tail)
  const without = (begin: string): readonly string[] => [
    ...new Set(readings.filter(({ tail }) => tail.startsWith(begin)).map(({ head }) => withoutEmptySegments(head))),
  ]
  return {
    whole: [...new Set([name, ...whole])],
    withoutUser: [...new Set(whole.flatMap(userlessForms))],
    withoutQuery: without("?"),
    withoutFragment: without("#"),
  }
}

/** A name, or a glob of names, without what readers may ignore: case, forms of letters, invisible characters, blanks at the ends. */
export function foldName(text: string): string {
  return normalizeText(text, "NFKC")
    .replaceAll(/[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim()
    .toLowerCase()
}
