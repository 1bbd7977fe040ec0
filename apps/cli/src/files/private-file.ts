import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs"

/** Writes a file that only its owner may read, whole or not at all. */
export function writePrivate(path: string, text: string): void {
  const draft = writeDraft(path, text)
  renameSync(draft, path)
}

/** Reads what the file holds, or makes it. Processes that start together agree on one text. */
export function keepPrivate(path: string, make: () => string): string {
  if (!existsSync(path)) {
    const draft = writeDraft(path, make())
    try {
      // A link, unlike a rename, never replaces: the first process has made the file, and the others read it.
      linkSync(draft, path)
    } catch (cause) {
      if (!existsSync(path)) throw cause
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readFileSync(path, "utf8")
}

/** The text of a file; undefined when there is none. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
}

function writeDraft(path: string, text: string): string {
  const draft = `${path}.${randomBytes(8).toString("hex")}`
  const file = openSync(draft, "wx", 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return draft
}
