/**
 * What readers of URIs make of one. Each takes its own steps in its own order: it decodes percent codes once or more, resolves dot segments before or after that,
 * takes the query off or the fragment alone, or takes them for a part of the path. So every order of these steps is tried.
 *
 * I1. A URI as it is written is its first reading.
 * I2. Whatever steps a reader takes, in whatever order, with up to three decodings, what it ends with is a reading.
 * I3. The work is bounded: of a URI with more readings than that, or than there is work left for, nothing is said.
 */
import type { TakeWork } from "../conditions/judging-work.ts"
import { resolveDots } from "./resolve-dots.ts"

/** `tail`: what a reader took off, from the `?` or `#` that it begins with; one in the head is an ordinary character to it. */
export type UriReading = { readonly head: string; readonly tail: string }

/** How often percent codes are taken apart: servers and what stands behind them may each do it once. */
const mostDecoded = 3

/** People's URIs have fewer than twenty. */
const mostReadings = 64

/** Of one reading, with all that is made of it. */
const work = { reading: 800, character: 6 } as const

/** `rewrites`: other forms of a head that readers take for the same one. Null: more readings than can be told. */
export function uriReadings(
  uri: string,
  rewrites: (head: string) => readonly string[],
  take: TakeWork,
): readonly UriReading[] | null {
  const found = new Map<string, UriReading>()
  const add = (reading: UriReading): void => {
    const key = `${reading.head.length} ${reading.head}${reading.tail}`
    if (!found.has(key)) found.set(key, reading)
  }
  add({ head: uri, tail: "" })
  let from = 0
  for (let decoded = 0; decoded <= mostDecoded; decoded += 1) {
    const level: UriReading[] = []
    // A map's iteration meets what is added on the way.
    let at = 0
    for (const reading of found.values()) {
      at += 1
      if (at <= from) continue
      const { head, tail } = reading
      if (!take(work.reading + work.character * (head.length + tail.length))) return null
      level.push(reading)
      for (const step of stepsFrom(reading, rewrites)) add(step)
      if (found.size > mostReadings) return null
    }
    from = at
    if (decoded < mostDecoded)
      for (const { head, tail } of level) add({ head: decodedOnce(head), tail: decodedOnce(tail) })
  }
  return found.size > mostReadings ? null : [...found.values()]
}

function stepsFrom({ head, tail }: UriReading, rewrites: (head: string) => readonly string[]): readonly UriReading[] {
  const whole = head + tail
  const cuts = [head.indexOf("?"), head.indexOf("#")].filter((at) => at >= 0)
  // What was taken off is put back: all of it, or the query without the fragment.
  const fragment = tail.indexOf("#")
  const joins = [...(tail === "" ? [] : [whole.length]), ...(fragment > 0 ? [head.length + fragment] : [])]
  const steps = [...cuts, ...joins].map((at) => ({ head: whole.slice(0, at), tail: whole.slice(at) }))
  const heads = [withoutBlanks(head), head.replaceAll("\\", "/"), ...resolveDots(head), ...rewrites(head)]
  return [...steps, ...heads.filter((each) => each !== head).map((each) => ({ head: each, tail }))]
}

/** Blanks and controls at the ends, and tabs and line breaks anywhere, are no part of a URL to browsers' readers. */
function withoutBlanks(uri: string): string {
  let [from, to] = [0, uri.length]
  while (from < to && uri.charCodeAt(from) <= 0x20) from += 1
  while (to > from && uri.charCodeAt(to - 1) <= 0x20) to -= 1
  return uri.slice(from, to).replaceAll(/[\t\r\n]/g, "")
}

/** Of percent codes of invalid UTF-8, those of ASCII are decoded. */
export function decodedOnce(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes)
    } catch {
      return codes.replaceAll(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    }
  })
}
