import { type Hasher, isOneWord, looksSecret, unambiguousJson } from "@byleave/core"
import { joinedSpans, type Span } from "@byleave/core/secret-spans"
import {
  isCredentialName,
  placesIn,
  type ServerConfig,
  secretParts,
  type Transport,
  writtenSecretParts,
} from "@byleave/formats"

/**
 * How a server is started or reached, as one keyed digest: what is in its environment cannot be guessed from it. In another `folder` the
 * same words may start another program, so that it counts; and so does whether the file names it, for only then are relative paths judged.
 */
export function startDigest({ transport }: ServerConfig, folder: string, digestKey: string, hasher: Hasher): string {
  const isLocal = transport.kind === "stdio"
  const how = isLocal
    ? [transport.kind, transport.command, transport.args, sorted(transport.env), transport.cwd ?? folder]
    : [transport.kind, transport.url, sorted(transport.headers)]
  const digest = hasher.hmacSha256(digestKey, JSON.stringify(how))
  return isLocal && transport.cwd !== undefined ? withNamedFolder(digest) : digest
}

const named = " in a folder that the file names"

export function withNamedFolder(start: string): string {
  return start.endsWith(named) ? start : `${start}${named}`
}

/** The one thing that changed between two starts of the same program in the same folder; null: it is another program or folder. */
export function folderNaming(before: string, after: string): "named" | "not named" | null {
  if (after === withNamedFolder(before)) return "named"
  return before === withNamedFolder(after) ? "not named" : null
}

function sorted(map: ReadonlyMap<string, string>): ReadonlyArray<readonly [string, string]> {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * The same for people. All that the file says of what is started or reached is shown, whatever it looks like; of what the environment fills
 * in, which variable it is. Values that start nothing are told by their length where they look like a secret.
 *
 * I1. No word of a command, an argument, an address, a folder, or a variable that leads to a program, a path or a host is masked where it stands in the
 *     file, but for the credential in a variable's value.
 * I2. What the file says reads as one word: no argument passes for two, for the folder or for what stands in brackets.
 */
export function startWords({ transport, written = transport }: ServerConfig, folder: string): string {
  const kind = transport.kind === "stdio" ? "environment" : "headers"
  const real = valuesOf(transport)
  const words = transport.kind === "stdio" ? variableWords : valueWords
  const shown = Array.from(valuesOf(written), ([name, value]) => words(name, value, real.get(name) ?? value))
  const values = shown.length === 0 ? "" : ` (with ${kind} ${shown.join(", ")})`
  if (transport.kind !== "stdio") return `${urlWords(transport.url, "url" in written ? written.url : "")}${values}`
  const args = "args" in written ? written.args : []
  const isSplitAlike = args.length === transport.args.length
  const given = isSplitAlike ? transport.args.map((arg, at) => argumentWords(arg, args[at] ?? arg)) : args.map(oneWord)
  return `${[oneWord(transport.command), ...given].join(" ")} in ${oneWord(transport.cwd ?? folder)}${values}`
}

function valuesOf(transport: Transport): ReadonlyMap<string, string> {
  return transport.kind === "stdio" ? transport.env : transport.headers
}

/** A file is no secret, whoever names it. */
function argumentWords(arg: string, written: string): string {
  if (arg === written) return oneWord(arg)
  return /^(?:\.{0,2}|[a-z]:)[\\/]/i.test(arg) ? `${oneWord(arg)} (by ${oneWord(written)})` : oneWord(written)
}

/** In quotes unless it is plainly one word, and none of ours. */
function oneWord(text: string): string {
  return isOneWord(text) && !/[()]/.test(text) && text !== "in" ? text : unambiguousJson(text)
}

/** Where it leads is no secret. */
export function urlWords(url: string, written: string): string {
  if (url === written) return oneWord(url)
  return URL.canParse(url) ? `${oneWord(written)} (at ${new URL(url).host})` : oneWord(written)
}

/** A variable that a program is started with. */
function variableWords(name: string, written: string, value: string): string {
  const word = oneWord(name)
  const secret = `a secret of ${value.length} characters`
  if (written === value) {
    const parts = joinedSpans(secretParts(name, value))
    const isWhole = parts[0]?.start === 0 && parts[0].end === value.length
    return isWhole ? `${word}, ${secret}` : `${word}=${unambiguousJson(withMasks(value, parts))}`
  }
  const places = placesIn(value)
  const leads = places.length === 0 ? "" : ` leading to ${places.map(oneWord).join(" and ")}`
  return `${word}=${oneWord(withMasks(written, joinedSpans(writtenSecretParts(name, written))))}, ${secret}${leads}`
}

function withMasks(text: string, parts: readonly Span[]): string {
  let [masked, from] = ["", 0]
  for (const { start, end } of parts) {
    masked += `${text.slice(from, start)}‹a secret of ${end - start} characters›`
    from = end
  }
  return masked + text.slice(from)
}

/** A header, or a model's key. */
export function valueWords(name: string, written: string, value: string): string {
  const word = oneWord(name)
  if (written !== value) return `${word}=${oneWord(written)}, a secret of ${value.length} characters`
  const isSecret = looksSecret(name, value) || isCredentialName(name)
  return isSecret ? `${word}, a secret of ${value.length} characters` : `${word}=${unambiguousJson(value)}`
}

/** Which of a file's secrets this server is given. */
export function secretsGiven({ transport }: ServerConfig, secrets: readonly string[]): readonly string[] {
  const words = transport.kind === "stdio" ? [transport.command, ...transport.args] : [transport.url]
  const texts = [...words, ...valuesOf(transport).values()]
  return secrets.filter((secret) => texts.some((text) => text.includes(secret)))
}
