/**
 * The text of a request in HTTP/1.1. Refuses by throwing whatever could be read as more than the one header it is.
 *
 * I1. No value of a header or path can begin another line.
 * I2. Where a request ends is said by us alone.
 */

export type PostToWrite = {
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// Headers that say where a request ends, or that make it another kind of request, cannot come from a configuration.
const unusual: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Whether headers are such that a request needs no more than these lines. */
export function isPlain(headers: Readonly<Record<string, string>>): boolean {
  return knownLines(headers) !== null
}

export function writePost({ host, path, headers, body }: PostToWrite): string | Buffer {
  const known = knownLines(headers)
  if (known === null) throw new TypeError("A header that is not for these requests.")
  const length = Buffer.byteLength(body)
  const head = `${beginning(known, host, path)}content-length: ${length}\r\nconnection: keep-alive\r\n\r\n`
  return known.isAscii ? head + body : Buffer.concat([Buffer.from(head, "latin1"), Buffer.from(body)])
}

type Lines = {
  readonly lines: string
  readonly namesHost: boolean
  readonly isAscii: boolean
  /** All that stands before a request's length, as it was last written. */
  begun: { readonly host: string; readonly path: string; readonly text: string } | null
}

/** Checked whenever it is another address than before. */
function beginning(known: Lines, host: string, path: string): string {
  if (known.begun?.host === host && known.begun.path === path) return known.begun.text
  if (!visible.test(path)) throw new TypeError("The address holds what no address may hold.")
  const named = known.namesHost ? "" : `host: ${checked("host", host)}\r\n`
  const text = `POST ${path} HTTP/1.1\r\n${named}${known.lines}`
  known.begun = { host, path, text }
  return text
}

// A connection sends the same headers with every request: the same object, written and checked once.
const written = new WeakMap<Readonly<Record<string, string>>, Lines | "unusual">()

function knownLines(headers: Readonly<Record<string, string>>): Lines | null {
  let known = written.get(headers)
  if (known === undefined) {
    known = linesOf(headers)
    written.set(headers, known)
  }
  return known === "unusual" ? null : known
}

function linesOf(headers: Readonly<Record<string, string>>): Lines | "unusual" {
  let lines = ""
  let namesHost = false
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase()
    if (unusual.has(key)) return "unusual"
    if (key === "host") namesHost = true
    lines += `${name}: ${checked(name, value)}\r\n`
  }
  return { lines, namesHost, isAscii: ascii.test(lines), begun: null }
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const fieldText = /^[\t\x20-\x7e\x80-\xff]*$/
const visible = /^[\x21-\x7e]+$/
const ascii = /^[\t\r\n\x20-\x7e]*$/

function checked(name: string, value: string): string {
  if (token.test(name) && fieldText.test(value)) return value
  throw new TypeError(`The header ${JSON.stringify(name)} holds what no header may hold.`)
}
