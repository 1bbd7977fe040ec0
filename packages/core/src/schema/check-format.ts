/** The values of `format` that are looked at; every other one fits. Each test takes time in proportion to the text. */
export function fitsFormat(format: string, text: string): boolean {
  return tests.get(format)?.(text) ?? true
}

const tests: ReadonlyMap<string, (text: string) => boolean> = new Map<string, (text: string) => boolean>([
  ["date", isDate],
  ["time", isTime],
  ["date-time", (text) => isDate(text.slice(0, 10)) && /^[t ]$/iu.test(text.slice(10, 11)) && isTime(text.slice(11))],
  [
    "duration",
    (text) => /^P(?=[\dT])(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/u.test(text),
  ],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["uri", (text) => /^[a-z][a-z0-9+.-]*:/iu.test(text) && hasUriCharacters(text)],
  ["uri-reference", hasUriCharacters],
  ["uuid", (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/iu.test(text)],
  ["json-pointer", (text) => /^(?:\/(?:[^~/]|~[01])*)*$/u.test(text)],
])

const daysIn = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/u.test(text)) return false
  const [year, month, day] = text.split("-").map(Number) as [number, number, number]
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && !isLeap ? 28 : (daysIn[month - 1] ?? 0))
}

function isTime(text: string): boolean {
  const parts = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/iu.exec(text)
  return parts !== null
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@")
  const name = text.slice(0, Math.max(0, at))
  if (name.length === 0 || name.length > 64) return false
  const isQuoted = /^"[^"\\\p{Cc}]*"$/u.test(name)
  const isPlain = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+$/iu.test(name) && !/^\.|\.\.|\.$/u.test(name)
  const host = text.slice(at + 1)
  return (isQuoted || isPlain) && (isHostname(host) || /^\[[0-9a-f.:]{1,60}\]$/iu.test(host))
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu.test(label))
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|$)){4}$/u.test(text) && !text.endsWith(".")
}

function isIpv6(text: string): boolean {
  if (text.length > 45) return false
  const last = text.slice(text.lastIndexOf(":") + 1)
  const plain = last.includes(".") ? (isIpv4(last) ? `${text.slice(0, -last.length)}0:0` : "x") : text
  const halves = plain.split("::")
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")))
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/iu.test(group))) return false
  return halves.length === 1 ? groups.length === 8 : halves.length === 2 && groups.length <= 7
}

function hasUriCharacters(text: string): boolean {
  return /^(?:[a-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9a-f]{2})*$/iu.test(text)
}
