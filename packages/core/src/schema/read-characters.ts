/**
 * What one character must be: a character, an escape or a class in the form of ECMA-262 with the flag `u`. Classes are read here, into ranges,
 * so that the engine compiles nothing of a server's but single properties (`\p{L}`), each once for all patterns.
 */

export type CharacterTest = {
  readonly fits: (codePoint: number) => boolean
  /** How many steps a look at one character takes beyond the one that is counted for each. */
  readonly steps: number
}

type Range = readonly [from: number, to: number]

const escaped = String.raw`\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)`

/** One character, escape or class, from `lastIndex` on. */
export const character = new RegExp(`${escaped}|\\[(?:[^\\]\\\\]|\\\\.)*\\]|.`, "suy")

/** Reads what `character` found. */
export function readCharacters(text: string): CharacterTest {
  if (text.startsWith("[")) return testOf(text[1] === "^" ? text.slice(2, -1) : text.slice(1, -1), text[1] === "^")
  if (text === ".") return testOf(String.raw`\n\r\u2028\u2029`, true)
  if (isSet(text)) return testOf(text, false)
  const wanted = codePointOf(text)
  return { fits: (codePoint) => codePoint === wanted, steps: 0 }
}

const property = /\\(?:[pP]\{[^}]*\}|.)/gsu

/** How many properties a pattern names, as often as it does. */
export function countProperties(source: string): number {
  return source.match(/\\[pP]\{/gu)?.length ?? 0
}

/** The same pattern with another set in the place of each property, which costs the engine nothing to read. Throws where there is no such property. */
export function withoutProperties(source: string): string {
  return source.replace(property, (text) => {
    if (!isProperty(text)) return text
    propertyTest(text)
    return "\\d"
  })
}

const stepsOfProperty = 4

function testOf(body: string, isNegative: boolean): CharacterTest {
  const { ranges, properties } = readItems(body)
  const bounds = boundsOf(ranges)
  const tests = [...properties].map(propertyTest)
  const isIn = (codePoint: number): boolean => isWithin(bounds, codePoint) || tests.some((test) => test(codePoint))
  return {
    fits: isNegative ? (codePoint) => !isIn(codePoint) : isIn,
    steps: tests.length * stepsOfProperty,
  }
}

function readItems(body: string): { readonly ranges: Range[]; readonly properties: ReadonlySet<string> } {
  const items = body.match(new RegExp(`${escaped}|.`, "gsu")) ?? []
  const ranges: Range[] = []
  const properties = new Set<string>()
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] as string
    if (isProperty(item)) properties.add(item)
    else if (isSet(item)) ranges.push(...(sets[item] as readonly Range[]))
    else {
      const from = codePointOf(item)
      const isRange = items[at + 1] === "-" && at + 2 < items.length
      if (isRange) at += 2
      ranges.push([from, isRange ? codePointOf(items[at] as string) : from])
    }
  }
  return { ranges, properties }
}

/** Where ranges begin and where they have ended, in turns, for ranges in any order. */
function boundsOf(ranges: readonly Range[]): readonly number[] {
  const bounds: number[] = []
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const end = bounds.at(-1)
    if (end === undefined || from > end) bounds.push(from, to + 1)
    else bounds[bounds.length - 1] = Math.max(end, to + 1)
  }
  return bounds
}

function isWithin(bounds: readonly number[], codePoint: number): boolean {
  let low = 0
  let high = bounds.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as number) <= codePoint) low = middle + 1
    else high = middle
  }
  return low % 2 === 1
}

const last = 0x10ffff
const digits: readonly Range[] = [[48, 57]]
const words: readonly Range[] = [...digits, [65, 90], [95, 95], [97, 122]]
const spaces: readonly Range[] = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

function othersThan(ranges: readonly Range[]): readonly Range[] {
  return [...ranges, [last + 1, last + 1] as const].map(([from], at) => [(ranges[at - 1]?.[1] ?? -1) + 1, from - 1])
}

const sets: Readonly<Record<string, readonly Range[]>> = {
  "\\d": digits,
  "\\D": othersThan(digits),
  "\\w": words,
  "\\W": othersThan(words),
  "\\s": spaces,
  "\\S": othersThan(spaces),
}

function isProperty(text: string): boolean {
  return /^\\[pP]\{/u.test(text)
}

function isSet(text: string): boolean {
  return isProperty(text) || Object.hasOwn(sets, text)
}

const controls: Readonly<Record<string, number>> = { 0: 0, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 }

function codePointOf(text: string): number {
  if (!text.startsWith("\\")) return text.codePointAt(0) as number
  const kind = text[1] as string
  if (kind === "c") return text.charCodeAt(2) % 32
  if (kind === "x") return Number.parseInt(text.slice(2), 16)
  if (kind !== "u") return controls[kind] ?? (text.codePointAt(1) as number)
  if (text[2] === "{") return Number.parseInt(text.slice(3, -1), 16)
  const units = text.split("\\u").slice(1)
  return String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))).codePointAt(0) as number
}

/** Of all patterns: there are only so many properties. */
const propertyTests = new Map<string, (codePoint: number) => boolean>()

function propertyTest(text: string): (codePoint: number) => boolean {
  const found = propertyTests.get(text)
  if (found !== undefined) return found
  const one = new RegExp(`^${text}$`, "u")
  const known = new Int8Array(128)
  const test = (codePoint: number): boolean => {
    if (codePoint > 127) return one.test(String.fromCodePoint(codePoint))
    if (known[codePoint] === 0) known[codePoint] = one.test(String.fromCodePoint(codePoint)) ? 1 : -1
    return known[codePoint] === 1
  }
  propertyTests.set(text, test)
  return test
}
