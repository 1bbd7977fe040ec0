/** A configuration's text in pieces, by what may be masked in each. */
import { looksSecret } from "@byleave/core"
import { joinedSpans } from "@byleave/core/secret-spans"
import { isCredentialName, type ScalarPlace, scalarPlaces, writtenSecretParts } from "@byleave/formats"

export type ConfigPiece = {
  readonly text: string
  /**
   * `secret`: a value that is a secret as a whole; `given`: what else a server or a model is started or reached with, which may hold one; `between`:
   * signs and comments; `other`: rules and settings.
   */
  readonly kind: "secret" | "given" | "between" | "other"
  /** Where it stands in the data, as in problems. */
  readonly path?: string
}

export function configPieces(text: string): readonly ConfigPiece[] {
  const pieces: ConfigPiece[] = []
  let from = 0
  for (const place of scalarPlaces(text)) {
    const { start, end, path } = place
    const given = text.slice(start, end)
    pieces.push({ text: text.slice(from, start), kind: "between" })
    for (const [piece, kind] of partsOf(place, given)) pieces.push({ text: piece, kind, path: pathWords(path) })
    from = end
  }
  return [...pieces, { text: text.slice(from), kind: "between" }]
}

type Part = readonly [text: string, kind: ConfigPiece["kind"]]

/** A value in parts, where only a part of it is a secret. */
function partsOf(place: ScalarPlace, text: string): readonly Part[] {
  const kind = kindOf(place)
  if (kind === "secret") {
    const credential = scheme(text)
    return [
      [text.slice(0, credential), "given"],
      [text.slice(credential), kind],
    ]
  }
  const [above, name = ""] = place.path.slice(-2)
  const spans = kind === "given" && above === "env" ? joinedSpans(writtenSecretParts(name, place.value)) : []
  const parts: Part[] = []
  let from = 0
  for (const span of spans) {
    const secret = place.value.slice(span.start, span.end)
    const at = text.indexOf(secret, from)
    // Written otherwise than it reads, it cannot be told from the rest.
    if (at === -1) return [[text, "secret"]]
    parts.push([text.slice(from, at), kind], [secret, "secret"])
    from = at + secret.length
  }
  return [...parts, [text.slice(from), kind]]
}

const startOrAddress = new Set(["command", "url", "serverUrl", "httpUrl"])
const startLists = new Set(["args", "env", "headers"])

function kindOf({ path, isKey, value }: ScalarPlace): ConfigPiece["kind"] {
  if (isKey || path[0] === "policy") return "other"
  const [above = "", name = ""] = path.slice(-2)
  const isModelKey = path[0] === "models" && name === "key"
  if (!startLists.has(above) && !startOrAddress.has(name) && !isModelKey) return "other"
  return !value.includes("$" + "{") && (isModelKey || isSecretHeader(above, name, value)) ? "secret" : "given"
}

function isSecretHeader(above: string, name: string, value: string): boolean {
  return above === "headers" && (isCredentialName(name) || looksSecret(name, value))
}

/** How long the word before a credential is, as in `Bearer …`. */
function scheme(value: string): number {
  return /^(?:Basic|Bearer|Token) +(?=\S)/i.exec(value)?.[0].length ?? 0
}

function pathWords(path: readonly string[]): string {
  return path.join(".")
}
