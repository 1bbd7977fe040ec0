/**
 * URI templates (RFC 6570), as far as telling addresses apart needs them.
 *
 * I1. Comparing looks at each character of template and address a few times at most, whatever both are.
 * I2. An expansion is as long as an address may be, or there is none.
 * I3. Expanding takes work by the lengths of template and address, whatever the values are.
 */
import { longestName } from "@byleave/core"

/** Longer or richer than any that people write: such a template fits no address. */
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

/** An address that a template leads to, up to the first variable without a value. `isWhole`: there is none. */
type Expansion = { readonly address: string; readonly isWhole: boolean }

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

/** The template with these values in it; null where no address is so long. */
export function expandTemplate(template: string, lookup: (variable: string) => string | undefined): Expansion | null {
  let address = ""
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (!expression.test(part)) address += part
    else {
      const { text, isWhole } = expandOne(part.slice(1, -1), lookup)
      address += text
      if (!isWhole) return address.length > longestName ? null : { address, isWhole }
    }
    if (address.length > longestName) return null
  }
  return { address, isWhole: true }
}

function expandOne(
  inside: string,
  lookup: (variable: string) => string | undefined,
): { readonly text: string; readonly isWhole: boolean } {
  const form = forms.get(inside[0] ?? "") ?? plain
  const names = (form === plain ? inside : inside.slice(1)).split(",")
  let text = ""
  for (const [at, written] of names.entries()) {
    const [, name = "", most] = /^([^:*]*)(?::(\d{1,4})|\*)?$/.exec(written) ?? []
    const value = lookup(name)
    if (value === undefined) return { text, isWhole: false }
    const kept = most === undefined ? value : firstOf(value, Number(most))
    text += `${at === 0 ? form.first : form.between}${form.isNamed ? `${name}=` : ""}${encoded(kept, form.isReserved)}`
    if (text.length > longestName) break
  }
  return { text, isWhole: true }
}

/** A character is one or two units: what lies beyond is not looked at, since a template can have thousands of such variables. */
function firstOf(value: string, most: number): string {
  return Array.from(value.slice(0, 2 * most))
    .slice(0, most)
    .join("")
}

/** Half a surrogate pair is in no address. */
function encoded(value: string, isReserved: boolean): string {
  const text = value.slice(0, longestName + 1).toWellFormed()
  return isReserved ? encodeURI(text) : encodeURIComponent(text)
}
