/**
 * Whether a text names a host, read as servers may read it: percent-decoded, without invisible characters, and with what an address may have around its
 * host. It errs towards yes.
 *
 * I1. A host is one with a user or a scheme before it, and with a port, a path, a query or a fragment behind it, too.
 * I2. An IP address is one in every spelling, but for plain numbers that are mostly none: one in decimal, and two or three that begin unlike addresses of
 *     this machine or network.
 * I3. The work grows with the text's length alone.
 */
import { normalizeText } from "../../call/text/normalize-text.ts"
import { webHost } from "../conditions/hosts/web-host.ts"
import { wordSet } from "../risks/argument-kind.ts"
import { decodedOnce } from "../rules/uri-readings.ts"
import { isLine, wordsIn } from "./place-signs.ts"

/** The text, what is left when its percent codes are decoded once, twice and three times, and the word that each begins with across tabs and line breaks. */
export function addressReadings(text: string): readonly string[] {
  const readings = [visible(text)]
  for (let last = readings[0] as string; last.includes("%") && readings.length <= mostDecoded; ) {
    const next = visible(decodedOnce(last))
    if (next === last) break
    readings.push(next)
    last = next
  }
  return readings.flatMap((reading) => [reading, ...joinedWord(reading)])
}

const mostDecoded = 3
/** Of a text with percent codes. */
export const mostReadings = mostDecoded + 1

/** Without invisible characters; blanks, tabs and line breaks stay. The parser of the web takes the ideographic full stop for a dot. */
function visible(text: string): string {
  return normalizeText(text, "NFKC").replaceAll(invisible, "").replaceAll("\u3002", ".")
}

const invisible = /[[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]--[\t\n\v\f\r]]/gv

/** The parser of the web leaves out tabs and line breaks; nothing where the text has none. */
function joinedWord(text: string): readonly string[] {
  const line = text.trim()
  const joined = line.replaceAll(/[\t\r\n]/g, "")
  if (joined === line) return []
  const [begin = ""] = joined.split(/\s/, 1)
  return wordsIn(begin)
    .filter((word) => word !== "")
    .slice(0, 1)
}

/** Of a line every word is looked at, of a longer text those before its first blank. */
export function namesHost(text: string): boolean {
  const line = text.trim()
  return wordsIn(isLine(line) ? line : line.slice(0, line.search(/\s/))).some(isHost)
}

function isHost(word: string): boolean {
  return word.split(/[[\]|&@]+/).some((part) => {
    const [authority = ""] = part.replace(/^[\\/]{2,}/, "").split(/[\\/?#]/, 1)
    return isIpv6(authority) || authority.split(/:+/).some(isName)
  })
}

function isIpv6(authority: string): boolean {
  const [address = ""] = authority.split("%", 1)
  return /^[0-9a-f]*:[0-9a-f.:]{1,45}$/i.test(address) && webHost(`[${address}]`) !== null
}

function isName(written: string): boolean {
  const name = written.replace(/\.$/, "")
  if (/^localhost$/i.test(name)) return true
  return numbers.test(name) ? isIpv4(name) : name.length <= longestName && isDomain(name)
}

/** Names of hosts have 253 bytes, fewer than twice as many as characters of other alphabets take. */
const longestName = 1000

/** Readers disagree about zeros at the front: decimal to some, octal to others. */
function isIpv4(name: string): boolean {
  if (/0x/i.test(name)) return true
  const decimal = name.replaceAll(/(?<![^.])0+(?=\d)/g, "")
  const octal = webHost(name)
  if (fourNumbers.test(name)) return octal !== null || webHost(decimal) !== null
  if (ownNetwork.test(decimal)) return true
  // Hours and days have one zero and one digit. Ids have zeros at the front, too, but are so small that they lead to no host.
  return /^0\d\d/.test(name) && octal !== null && !octal.startsWith("0.")
}

const numbers = /^(?:0x[0-9a-f]*|\d+)(?:\.(?:0x[0-9a-f]*|\d+)){0,3}$/i
const fourNumbers = /^\d+(?:\.\d+){3}$/
const ownNetwork = /^(?:127(?:\.\d+){1,2}|(?:10|169|172|192)(?:\.\d+){2})$/

/** The last two names of a domain are those of whoever owns it; before them a name may be of any characters. */
function isDomain(name: string): boolean {
  if (!name.includes(".")) return false
  const ending = name.slice(name.lastIndexOf(".") + 1)
  if (!hostEnding.test(ending) || fileEndings.has(ending.toLowerCase())) return false
  // The parser changes nothing of a name in ASCII but its case, and takes long to refuse one.
  const owner = (isAscii.test(name) ? name : (webHost(name) ?? name)).split(".").at(-2) ?? ""
  return /^[\p{L}\p{N}_-]+$/u.test(owner) && /[\p{L}\p{N}]/u.test(owner)
}

const isAscii = /^[\x20-\x7e]*$/
/** In letters of any alphabet, or as they are written in ASCII. */
const hostEnding = /^(?:xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)$/iu

/** Endings that hosts never have. */
const fileEndings = wordSet(`
  txt pdf doc docx xls xlsx ppt pptx odt csv tsv json jsonl xml yaml yml toml ini cfg conf env log html htm css scss js mjs cjs jsx ts mts cts tsx
  vue java kt go rb php lua sql sqlite db lock tmp bak gz tar tgz jar png jpg jpeg gif svg webp ico mp3 wav avi pem key crt pfx exe dll ipynb`)
