/**
 * URI templates (RFC 6570), as far as telling addresses apart needs them.
 *
 * I1. Comparing looks at each character of template and address a few times at most, whatever both are.
 * I2. An address that is made is as long as one may be, or there is none.
 * I3. Making one takes work by the lengths of template and address, whatever the values are; of many with different values, the template is read once.
 */
import { longestName } from "@byleave/core"

/** Longer or richer than any that people write: such a template fits no address, and leads to none. */
const longestTemplate = 2_000
const mostExpressions = 100

const expression = /\{[^{}]*\}/

/** Whether a URI can come from a template: expressions stand for any text. */
export function mayExpandTo(template: string, uri: string): boolean {
  if (template.length > longestTemplate) return false
  const parts = template.split(expression)
  const first = parts[0] ?? ""
  const last = parts.at(-1) ?? ""
  if (parts.length === 1) return uri === first
  if (parts.length > mostExpressions + 1) return false
  if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false
  const end = uri.length - last.length
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    at = endOfPart(uri, part, at, end)
    if (at < 0) return false
  }
  return true
}

/** Where the first occurrence of the part between the two places ends; -1: there is none. By Knuth, Morris and Pratt: `indexOf` can take the product of both lengths. */
function endOfPart(text: string, part: string, from: number, to: number): number {
  if (part.length > to - from) return -1
  const borders = bordersOf(part)
  let matched = 0
  for (let at = from; at < to && matched < part.length; at += 1) {
    matched = nextMatched(part, borders, matched, text.charCodeAt(at))
    if (matched === part.length) return at + 1
  }
  return part === "" ? from : -1
}

/** For each beginning of the part, the length of the longest shorter one that it ends with. */
function bordersOf(part: string): Uint16Array {
  const borders = new Uint16Array(part.length)
  for (let at = 1; at < part.length; at += 1) {
    borders[at] = nextMatched(part, borders, borders[at - 1] ?? 0, part.charCodeAt(at))
  }
  return borders
}

function nextMatched(part: string, borders: Uint16Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : 0
}

type Form = {
  readonly first: string
  readonly between: string
  readonly isNamed: boolean
  readonly isReserved: boolean
}

const plain: Form = { first: "", between: ",", isNamed: false, isReserved: false }
const forms = new Map<string, Form>([
  ["+", { ...plain, isReserved: true }],
  ["#", { ...plain, first: "#", isReserved: true }],
  [".", { ...plain, first: ".", between: "." }],
  ["/", { ...plain, first: "/", between: "/" }],
  [";", { ...plain, first: ";", between: ";", isNamed: true }],
  ["?", { ...plain, first: "?", between: "&", isNamed: true }],
  ["&", { ...plain, first: "&", between: "&", isNamed: true }],
])

/** Where a value goes in an address, and what comes before it there. */
type Hole = { readonly before: string; readonly isReserved: boolean; readonly most: number | undefined }

/** The address that a template leads to with this value; null where no address is so long. */
export type AddressWith = (value: string) => string | null

/** The template, filled up to the first variable without a value, for any value of the variable that is `asked` about. Null: it leads to no address. */
export function fillTemplate(
  template: string,
  asked: string,
  lookup: (variable: string) => string | undefined,
): AddressWith | null {
  const parts = template.length > longestTemplate ? [] : template.split(/(\{[^{}]*\})/)
  if (parts.length === 0 || parts.length > 2 * mostExpressions + 1) return null
  const holes: Hole[] = []
  let text = ""
  for (const piece of piecesOf(parts)) {
    if (text.length > longestName) return null
    if (typeof piece === "string") text += piece
    else if (piece.name === asked) {
      holes.push({ ...piece, before: text + piece.before })
      text = ""
    } else {
      const value = lookup(piece.name)
      if (value === undefined) break
      text += piece.before + encoded(value, piece)
    }
  }
  return (value) => joined(holes, text, value)
}

function joined(holes: readonly Hole[], end: string, value: string): string | null {
  let address = ""
  for (const hole of holes) {
    address += hole.before + encoded(value, hole)
    if (address.length > longestName) return null
  }
  address += end
  return address.length > longestName ? null : address
}

type Use = Hole & { readonly name: string }

function* piecesOf(parts: readonly string[]): Generator<string | Use> {
  for (const part of parts) {
    if (!expression.test(part)) {
      yield part
      continue
    }
    const inside = part.slice(1, -1)
    const form = forms.get(inside[0] ?? "") ?? plain
    const names = (form === plain ? inside : inside.slice(1)).split(",")
    for (const [at, written] of names.entries()) {
      const [, name = "", most] = /^([^:*]*)(?::(\d{1,4})|\*)?$/.exec(written) ?? []
      const before = `${at === 0 ? form.first : form.between}${form.isNamed ? `${name}=` : ""}`
      yield { name, before, isReserved: form.isReserved, most: most === undefined ? undefined : Number(most) }
    }
  }
}

/** A character is one or two units: what lies beyond is not looked at, since a template can have thousands of such variables. */
function firstOf(value: string, most: number): string {
  return Array.from(value.slice(0, 2 * most))
    .slice(0, most)
    .join("")
}

/** Half a surrogate pair is in no address. */
function encoded(value: string, { isReserved, most }: Pick<Hole, "isReserved" | "most">): string {
  const kept = most === undefined ? value : firstOf(value, most)
  const text = kept.slice(0, longestName + 1).toWellFormed()
  return isReserved ? encodeURI(text) : encodeURIComponent(text)
}
