/** A configuration's text in pieces, by what may be masked in each. */
import { looksSecret } from "@byleave/core"
import { isCredentialName, isSecretVariable, type ScalarPlace, scalarPlaces } from "@byleave/formats"

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
    const kind = kindOf(place)
    const start = place.start + (kind === "secret" ? scheme(text.slice(place.start, place.end)) : 0)
    pieces.push({ text: text.slice(from, start), kind: "between" })
    pieces.push({ text: text.slice(start, place.end), kind, path: pathWords(place.path) })
    from = place.end
  }
  return [...pieces, { text: text.slice(from), kind: "between" }]
}

const startOrAddress = new Set(["command", "url", "serverUrl", "httpUrl"])
const startLists = new Set(["args", "env", "headers"])

function kindOf({ path, isKey, value }: ScalarPlace): ConfigPiece["kind"] {
  if (isKey || path[0] === "policy") return "other"
  const [above = "", name = ""] = path.slice(-2)
  const isModelKey = path[0] === "models" && name === "key"
  if (!startLists.has(above) && !startOrAddress.has(name) && !isModelKey) return "other"
  return !value.includes("$" + "{") && (isModelKey || isSecret(above, name, value)) ? "secret" : "given"
}

function isSecret(above: string, name: string, value: string): boolean {
  if (above === "env") return isSecretVariable(name, value)
  return above === "headers" && (isCredentialName(name) || looksSecret(name, value))
}

/** How long the word before a credential is, as in `Bearer …`. */
function scheme(value: string): number {
  return /^(?:Basic|Bearer|Token) +(?=\S)/i.exec(value)?.[0].length ?? 0
}

function pathWords(path: readonly string[]): string {
  return path.join(".")
}
