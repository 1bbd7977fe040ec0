/** The host of an address as readers of the web take it. */

type WebUrl = {
  new (url: string): { readonly hostname: string; readonly href: string }
  /** Says it of most texts in a fraction of the time that an error takes. */
  readonly canParse: (url: string) => boolean
}

/** Browsers and Node have it; the language itself does not. */
const { URL: Url } = globalThis as unknown as { readonly URL: WebUrl }

/** IPv4 as four numbers, IPv6 shortened, letters of other alphabets in ASCII; null where it is no host. `*` stays as it is. */
export function webHost(host: string): string | null {
  // Of invisible characters, those that names of hosts may have are left out by the parser; `\s` has one of them.
  if (/[/?#@\\\t\r\n ]/.test(host)) return null
  const address = `http://${host}/`
  return Url.canParse(address) ? new Url(address).hostname : null
}

/** The whole address as they write it; null where it is none. */
export function webHref(address: string): string | null {
  return Url.canParse(address) ? new Url(address).href : null
}

const mapped = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/

/** The IPv4 address that an IPv6 address carries, as systems connect to it; null where it carries none. */
export function carriedIpv4(host: string): string | null {
  const [, high, low] = mapped.exec(host) ?? []
  if (high === undefined || low === undefined) return null
  const numbers = [high, low].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >> 8, value & 0xff]
  })
  return numbers.join(".")
}
