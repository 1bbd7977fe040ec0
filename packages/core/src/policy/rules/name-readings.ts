/**
 * The ways in which a server may read the name of a resource or prompt. These names are not listed beforehand, as tools are, so an agent can
 * write one differently from the rule that is about it.
 *
 * I1. A name as it is written is always among its readings.
 * I2. Two spellings that a URI's reader may take for one resource share a reading: percent codes, dot segments, more slashes than needed,
 *     backslashes, blanks at the ends, capital letters in scheme and host, the host of `file:`, a query or fragment behind it; in addresses of
 *     the web also fewer slashes than needed, a user before the host, other spellings of the host, and the port that is meant without one.
 */
import { normalizeText } from "../../call/text/normalize-text.ts"
import { carriedIpv4, webHost } from "../conditions/web-host.ts"
import type { TargetKind } from "./rule.ts"

/** How often percent codes are taken apart: servers and what stands behind them may each do it once. */
const mostDecoded = 3

/** Returns the readings by which a deny, ask or hide holds: one is enough. */
export function looseReadings(kind: TargetKind, name: string): readonly string[] {
  if (kind === "resource") return [...new Set([name, ...decodings(tidied(name)).flatMap(uriReadings)])]
  return [name]
}

/** Returns the readings by which an allow holds: it needs all of them. */
export function strictReadings(kind: TargetKind, name: string): readonly string[] {
  return kind === "resource" ? [...new Set([name, ...decodings(tidied(name)).map(withoutDots)])] : [name]
}

/** A name, or a glob of names, without what readers may ignore: case, forms of letters, invisible characters, blanks at the ends. */
export function foldName(text: string): string {
  return normalizeText(text, "NFKC")
    .replaceAll(/[\p{Cf}\p{Cc}]/gu, "")
    .trim()
    .toLowerCase()
}

/** Blanks and controls at the ends, and tabs and line breaks anywhere, are no part of a URL to browsers' readers; backslashes are slashes. */
function tidied(uri: string): string {
  let [from, to] = [0, uri.length]
  while (from < to && uri.charCodeAt(from) <= 0x20) from += 1
  while (to > from && uri.charCodeAt(to - 1) <= 0x20) to -= 1
  return uri
    .slice(from, to)
    .replaceAll(/[\t\r\n]/g, "")
    .replaceAll("\\", "/")
}

function decodings(uri: string): readonly string[] {
  const all = [uri]
  for (let last = uri; all.length <= mostDecoded; ) {
    const next = decodedOnce(last)
    if (next === last) break
    all.push(next)
    last = next
  }
  return all
}

/** Percent codes of invalid UTF-8 stay as they are. */
function decodedOnce(text: string): string {
  return text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes)
    } catch {
      return codes.replaceAll(/%[2-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
    }
  })
}

function uriReadings(uri: string): readonly string[] {
  const [bare = ""] = uri.split(/[?#]/, 1)
  return [uri, bare].flatMap(canonical)
}

const parts = /^([a-z][a-z0-9+.-]*):(\/*)([^/?#]*)(.*)$/is

/** The spellings of one address: the shortest, and others that a rule may be written in. */
function canonical(uri: string): readonly string[] {
  const [, scheme, slashes = "", first = "", rest = ""] = parts.exec(uri) ?? []
  if (scheme === undefined) return [withoutDots(uri)]
  const named = scheme.toLowerCase()
  if (named === "file") return filePaths(slashes.length, first, rest).map((path) => withoutDots(`file://${path}`))
  const host = slashes.length >= 2 ? first.toLowerCase().replace(/\.(?=:|$)/, "") : first
  const asWritten = withoutDots(`${named}:${slashes.length >= 2 ? "//" : slashes}${host}${rest}`)
  const port = defaultPorts.get(named)
  return port === undefined ? [asWritten] : [asWritten, ...webReadings(named, port, first, rest)]
}

/** Some readers take the host of `file:` for a folder, others leave it out. */
function filePaths(slashes: number, first: string, rest: string): readonly string[] {
  if (slashes !== 2) return [`/${first}${rest}`]
  const isLocal = /^(?:localhost\.?|127\.0\.0\.1|\[::1\])$/i.test(first)
  return isLocal ? [rest] : [`//${first}${rest}`, rest]
}

/** The schemes that every URL parser knows, with their default ports: a host follows, however many slashes there are. */
const defaultPorts: ReadonlyMap<string, string> = new Map([
  ["http", "80"],
  ["https", "443"],
  ["ws", "80"],
  ["wss", "443"],
  ["ftp", "21"],
])

/** Without a user, the host in one spelling, with and without the port that is meant where none is written. */
function webReadings(scheme: string, defaultPort: string, authority: string, rest: string): readonly string[] {
  const place = authority
    .slice(authority.lastIndexOf("@") + 1)
    .toLowerCase()
    .replaceAll(/[\u3002\uff0e\uff61]/g, ".")
  const colon = place.lastIndexOf(":")
  const written = colon < 0 || place.endsWith("]") ? "" : place.slice(colon + 1)
  const isPort = /^\d{0,9}$/.test(written)
  const host = (isPort && colon >= 0 && !place.endsWith("]") ? place.slice(0, colon) : place).replace(/\.$/, "")
  const port = isPort ? written.replace(/^0+(?=\d)/, "") : ""
  const ports = port === "" || port === defaultPort ? ["", `:${defaultPort}`] : [`:${port}`]
  return hostReadings(host).flatMap((name) => ports.map((each) => withoutDots(`${scheme}://${name}${each}${rest}`)))
}

/** As it is written, and as every reader of the web takes it: 2130706433 is 127.0.0.1. */
function hostReadings(host: string): readonly string[] {
  const read = webHost(host)
  const carried = read === null ? null : carriedIpv4(read)
  return [...new Set([host, read, carried].filter((each) => each !== null))]
}

const pathBegins = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/[^/]*)?/i

/** Takes `.`, `..` and empty segments out of the path. */
function withoutDots(uri: string): string {
  const [before = ""] = pathBegins.exec(uri) ?? []
  const [path = "", after = ""] = splitAt(uri.slice(before.length), /[?#]/)
  const kept: string[] = []
  const segments = path.split("/")
  for (const segment of segments) {
    if (segment === "..") kept.pop()
    else if (segment !== "" && segment !== ".") kept.push(segment)
  }
  const isFolder = kept.length > 0 && /(?:^|\/)\.{0,2}$/.test(path)
  return `${before}${path.startsWith("/") ? "/" : ""}${kept.join("/")}${isFolder ? "/" : ""}${after}`
}

function splitAt(text: string, mark: RegExp): readonly [string, string] {
  const at = text.search(mark)
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)]
}
