/**
 * The configuration file that a data folder's service used last, and the text and rules of it that were wholly in force, written down there: for
 * commands that pass rules on while no service runs. A `byleave.yaml` in the folder where somebody works may be anybody's.
 *
 * I1. Without `--config`, no rules are taken but those of the service's file, and only as they were in force last.
 * I2. The rules are those that the service read: the same text with another value of a variable counts as another.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { asObject, readJson, textAt } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { readIfThere, writePrivate } from "../files/private-file.ts"
import { ownConfig } from "./find-config.ts"

type KeptConfig = {
  readonly file: string
  /** A keyed digest of the text with the policy read from it; null: no text of the file is known to be what is in force. */
  readonly text: string | null
  /** A keyed digest of what was in force with the text. */
  readonly inForce: string | null
}

/** A configuration's text with those of its template files, which are part of what is accepted, and the version of the policy read from them. */
export type WholeText = {
  readonly text: string
  readonly templates: ReadonlyMap<string, string | null>
  readonly policy: string
}

const pathOf = (data: string) => join(data, "config-in-force.json")

/**
 * The service runs with this file. `whole` null: a part of it is not in force. `inForce`: all that is, as a text that is the same for the same; null: it is
 * kept elsewhere, where others change it. A text that was in force before stays known only as long as exactly what it said is in force.
 */
export function keepConfigText(
  data: string,
  key: string,
  file: string,
  { whole, inForce }: { readonly whole: WholeText | null; readonly inForce: string | null },
): void {
  const kept = readKept(data)
  const digest = inForce === null ? null : nodeHasher.hmacSha256(key, inForce)
  const isAsKept = digest !== null && kept?.file === file && kept.inForce === digest
  const text = whole === null ? (isAsKept ? kept.text : null) : digest && digestOf(key, whole)
  const next: KeptConfig = { file, text, inForce: text && digest }
  if (next.file === kept?.file && next.text === kept.text && next.inForce === kept.inForce) return
  writePrivate(pathOf(data), `${JSON.stringify({ version: 1, ...next })}\n`)
}

/** `isInForce`: judges the text once it has been read. Null: the folder has no configuration. */
export function serviceConfig(
  data: string,
): { readonly file: string; readonly isInForce: (key: () => string, whole: WholeText) => boolean } | null {
  const kept = readKept(data)
  if (kept !== null) return { file: kept.file, isInForce: (key, whole) => kept.text === digestOf(key(), whole) }
  // No service has run: the first one accepts the folder's own file as it is.
  const own = ownConfig(data)
  return existsSync(own) ? { file: own, isInForce: () => true } : null
}

function readKept(data: string): KeptConfig | null {
  const written = readIfThere(pathOf(data))
  if (written === undefined) return null
  const json = readJson(written)
  const kept = json.ok ? asObject(json.value) : undefined
  return {
    file: textAt(kept, "file") ?? ownConfig(data),
    text: textAt(kept, "text") ?? null,
    inForce: textAt(kept, "inForce") ?? null,
  }
}

function digestOf(key: string, { text, templates, policy }: WholeText): string {
  return nodeHasher.hmacSha256(key, JSON.stringify([policy, text, ...templates]))
}
