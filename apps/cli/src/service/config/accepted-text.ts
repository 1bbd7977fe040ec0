/**
 * The configuration's text as it was accepted last, so that people see an edit against it. The store keeps it with its secrets masked,
 * and of each secret only a keyed name: enough to tell that another one stands there now.
 */
import { basename } from "node:path"
import type { JsonObject } from "@byleave/core"
import type { Documents } from "../gateway/documents.ts"
import type { LoadedFile } from "./load-file.ts"
import { maskText, renumberMasks } from "./shown/mask-text.ts"

export type ShownText = {
  readonly text: string
  /** Names of what is masked, in the order of the masks' numbers; the same secret has the same name. */
  readonly secrets: readonly string[]
}

/** Null where a secret stands in a text in a way that cannot be masked. */
export function shownTextOf(
  { text, templates, config, warnings }: Extract<LoadedFile, { ok: true }>,
  redactText: (text: string) => string,
  nameOf: (secret: string) => string,
): ShownText | null {
  const masked = maskText({ text, below: templateTexts(templates), config, warnings, redactText })
  return masked === null ? null : { text: masked.text, secrets: masked.secrets.map(nameOf) }
}

/** The configuration's text with those of its template files below it, each under its name. Without such files, the text alone. */
export function wholeText(text: string, templates: LoadedFile["templates"]): string {
  return `${text}${templateTexts(templates)}`
}

function templateTexts(templates: LoadedFile["templates"]): string {
  return [...templates].map(([path, inner]) => `\n# ${basename(path)}\n${inner ?? ""}`).join("")
}

/** The newer text with masks numbered as in the older one, so that only what differs looks different. */
export function alignedTo(older: ShownText, newer: ShownText): string {
  const names = [...older.secrets, ...newer.secrets.filter((name) => !older.secrets.includes(name))]
  return renumberMasks(newer.text, (number) => names.indexOf(newer.secrets[number - 1] ?? "") + 1)
}

const kind = "policy"
const id = "accepted-text"

/** Null: none is known, or none could be shown. */
export async function readAcceptedText(documents: Documents): Promise<ShownText | null> {
  const value = await documents.get(kind, id)
  if (value?.version !== 1) return null
  const { shown } = value as unknown as { readonly shown: ShownText | null }
  return shown
}

export async function writeAcceptedText(documents: Documents, shown: ShownText | null): Promise<void> {
  const before = await readAcceptedText(documents)
  if (JSON.stringify(before) === JSON.stringify(shown)) return
  await documents.put(kind, id, { version: 1, shown } as unknown as JsonObject)
}
