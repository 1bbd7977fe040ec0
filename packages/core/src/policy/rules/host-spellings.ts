/** The forms of a URI that differ in scheme, host, user and port alone. */
import { carriedIpv4, webHost } from "../conditions/hosts/web-host.ts"

const parts = /^([a-z][a-z0-9+.-]*):(\/*)([^/?#]*)(.*)$/is

/** The schemes that every URL parser knows, with their default ports: a host follows, however many slashes there are. */
const defaultPorts: ReadonlyMap<string, string> = new Map([
  ["http", "80"],
  ["https", "443"],
  ["ws", "80"],
  ["wss", "443"],
  ["ftp", "21"],
])

export function isWebScheme(scheme: string): boolean {
  return defaultPorts.has(scheme.toLowerCase())
}

/** The URI with the slashes that its scheme means: they decide where its path begins. */
export function slashForms(uri: string): readonly string[] {
  const [, scheme = "", slashes = "", first = "", rest = ""] = parts.exec(uri) ?? []
  const named = scheme.toLowerCase()
  if (named === "file") return filePaths(slashes.length, first, rest).map((path) => `file://${withColon(path)}`)
  return scheme === "" ? [] : [`${named}://${first}${rest}`]
}

/** Some readers take the host of `file:` for a folder, others leave it out. */
function filePaths(slashes: number, first: string, rest: string): readonly string[] {
  if (slashes !== 2) return [`/${first}${rest}`]
  if (first === "" && rest.startsWith("/")) return [rest]
  const isLocal = /^(?:localhost\.?|127\.0\.0\.1|\[::1\])$/i.test(first)
  if (isLocal) return [rest]
  return rest === "" ? [`/${first}`, `/${first}/`, rest] : [`/${first}${rest}`, rest]
}

/** `C|` is another spelling of the drive `C:`. */
function withColon(path: string): string {
  return path.replace(/^(\/[a-z])\|(?=\/|$)/i, "$1:")
}

/** The spellings of one place: the shortest, and others that a rule may be written in. */
export function hostSpellings(uri: string): readonly string[] {
  const [, scheme, slashes = "", first = "", rest = ""] = parts.exec(uri) ?? []
  if (scheme === undefined) return [uri]
  const named = scheme.toLowerCase()
  if (named === "file") return [`file:${slashes}${first}${rest}`]
  const port = defaultPorts.get(named)
  if (port === undefined)
    return slashes.length < 2 ? [`${named}:${slashes}${first}${rest}`] : ownSpellings(named, first, rest)
  const host = slashes.length >= 2 ? withoutFinalDot(first.toLowerCase()) : first
  return [`${named}:${slashes.length >= 2 ? "//" : slashes}${host}${rest}`, ...webSpellings(named, port, first, rest)]
}

function withoutFinalDot(authority: string): string {
  return authority.replace(/\.(?=:|$)/, "")
}

/**
 * In a scheme of the server's own. It reads an authority as every URL has one, without its user or its port, or takes the scheme off with
 * as many slashes as there are and knows neither.
 */
function ownSpellings(scheme: string, authority: string, rest: string): readonly string[] {
  return placesIn(authority).flatMap((place) => [
    `${scheme}://${withoutFinalDot(place.toLowerCase())}${rest}`,
    `${scheme}:/${place}${rest}`,
    `${scheme}:${place}${rest}`,
  ])
}

/** The authority as it is written, without its user, and its host with the port as a number and without it. */
function placesIn(authority: string): readonly string[] {
  const place = withoutUser(authority)
  const [, host = place, port = ""] = /^(.*):(\d{0,9})$/s.exec(place) ?? []
  const number = port.replace(/^0+(?=\d)/, "")
  return [...new Set([authority, place, host, ...(number === "" ? [] : [`${host}:${number}`])])]
}

function withoutUser(authority: string): string {
  return authority.slice(authority.lastIndexOf("@") + 1)
}

/** The URI without a user before its host; none where it has no user. */
export function userlessForms(uri: string): readonly string[] {
  const [, scheme = "", slashes = "", first = "", rest = ""] = parts.exec(uri) ?? []
  return slashes.length < 2 || !first.includes("@") ? [] : [`${scheme}:${slashes}${withoutUser(first)}${rest}`]
}

/** Without a user, the host in one spelling, a path behind it, with and without the port that is meant where none is written. */
function webSpellings(scheme: string, defaultPort: string, authority: string, rest: string): readonly string[] {
  const place = withoutUser(authority)
    .toLowerCase()
    .replaceAll(/[\u3002\uff0e\uff61]/g, ".")
  const colon = place.lastIndexOf(":")
  const written = colon < 0 || place.endsWith("]") ? "" : place.slice(colon + 1)
  const isPort = /^\d{0,9}$/.test(written)
  const host = (isPort && colon >= 0 && !place.endsWith("]") ? place.slice(0, colon) : place).replace(/\.$/, "")
  const port = isPort ? written.replace(/^0+(?=\d)/, "") : ""
  const ports = port === "" || port === defaultPort ? ["", `:${defaultPort}`] : [`:${port}`]
  const path = rest.startsWith("/") ? rest : `/${rest}`
  return ofHost(host).flatMap((name) => ports.map((each) => `${scheme}://${name}${each}${path}`))
}

/** As it is written, and as every reader of the web takes it: 2130706433 is 127.0.0.1. */
function ofHost(host: string): readonly string[] {
  const read = webHost(host)
  const carried = read === null ? null : carriedIpv4(read)
  return [...new Set([host, read, carried].filter((each) => each !== null))]
}
