/**
 * The host of a URL, read strictly: where readers of URLs are known to disagree, there is no answer.
 *
 * I1. A host is given only for scheme://[user@]host[:port] without backslashes, blanks or a second `@` before the path, and without percent code in it.
 * I2. One host has one spelling: lower case, no final dot, IPv6 shortened, IPv4 only as four plain numbers.
 */
const schemes: ReadonlySet<string> = new Set([
  "http",
  "https",
  "ws",
  "wss",
  "ftp",
  "ftps",
  "sftp",
  "ssh",
  "git",
  "git+ssh",
  "git+https",
])

/** The host in its one spelling, IPv6 without brackets; null where it is in doubt. Other than ASCII letters stay as they are. */
export function hostOf(url: string): string | null {
  const colon = url.indexOf("://")
  if (colon < 0 || colon > 10 || !schemes.has(url.slice(0, colon).toLowerCase())) return null
  const start = colon + 3
  let end = start
  let at = -1
  for (; end < url.length; end += 1) {
    const code = url.charCodeAt(end)
    if (code === 0x2f || code === 0x3f || code === 0x23) break
    if (code <= 0x20 || code === 0x7f || code === 0x5c) return null
    if (code !== 0x40) continue
    if (at >= 0) return null
    at = end
  }
  return hostBeforePort(url.slice(at < 0 ? start : at + 1, end))
}

/** The one spelling of an IPv6 address; null when it is none, or one that carries an IPv4 address. */
export function canonicalIpv6(text: string): string | null {
  const halves = text.toLowerCase().split("::")
  if (halves.length > 2) return null
  const [head, tail] = halves.map((half) => (half === "" ? [] : half.split(":"))) as [string[], string[] | undefined]
  const missing = 8 - head.length - (tail?.length ?? 0)
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  const groups = [...head, ...new Array<string>(missing).fill("0"), ...(tail ?? [])]
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))) return null
  const short = groups.map((group) => group.replace(/^0+(?=.)/, ""))
  if (short.slice(0, 5).every((group) => group === "0") && short[5] === "ffff") return null
  return shorten(short)
}

function hostBeforePort(authority: string): string | null {
  const isIpv6 = authority.startsWith("[")
  const end = isIpv6 ? authority.indexOf("]") + 1 : authority.indexOf(":")
  if (isIpv6 && end === 0) return null
  const host = end < 0 ? authority : authority.slice(0, end)
  const port = end < 0 ? "" : authority.slice(end)
  if (port !== "" && !/^:\d{0,5}$/.test(port)) return null
  return isIpv6 ? canonicalIpv6(host.slice(1, -1)) : canonicalName(host)
}

function canonicalName(host: string): string | null {
  const lower = lowerAscii(host)
  const name = lower.endsWith(".") ? lower.slice(0, -1) : lower
  if (name.length > 253 || !/^[a-z0-9_\-\u0080-\uffff]+(?:\.[a-z0-9_\-\u0080-\uffff]+)*$/.test(name)) return null
  const last = name.slice(name.lastIndexOf(".") + 1)
  // Readers take a final number for an IPv4 address in any of its spellings: 2130706433 and 0x7f.1 are 127.0.0.1.
  return /^(?:\d+|0x[0-9a-f]*)$/.test(last) && !isIpv4(name) ? null : name
}

function isIpv4(name: string): boolean {
  const parts = name.split(".")
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

/** Not `toLowerCase`: that turns some letters of other alphabets into ASCII. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (upper) => upper.toLowerCase())
}

/** Two colons for the first of the longest runs of zeros. */
function shorten(groups: readonly string[]): string {
  let best = -1
  let length = 1
  for (let start = 0; start < 8; start += 1) {
    let end = start
    while (groups[end] === "0") end += 1
    if (end - start > length) {
      best = start
      length = end - start
    }
  }
  if (best < 0) return groups.join(":")
  return `${groups.slice(0, best).join(":")}::${groups.slice(best + length).join(":")}`
}
