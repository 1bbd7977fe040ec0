/** Which store a data folder was first used with, as it is written down there; see chosen-store.ts. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readIfThere, writePrivate } from "../files/private-file.ts"

const pathOf = (data: string) => join(data, "store")

/** `sqlite`, or `postgres` with a keyed digest of its address; null where no store was used yet. */
export function readKeptStore(data: string): string | null {
  const kept = readIfThere(pathOf(data))?.trim()
  if (kept !== undefined && kept !== "") return kept
  // A folder from before this was written down.
  return existsSync(join(data, "byleave.db")) ? "sqlite" : null
}

export function writeKeptStore(data: string, name: string): void {
  if (readIfThere(pathOf(data))?.trim() !== name) writePrivate(pathOf(data), `${name}\n`)
}
