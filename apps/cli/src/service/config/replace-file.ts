import { randomBytes } from "node:crypto"
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { readUtf8 } from "../../files/read-utf8.ts"

/**
 * Writes a file that is there already, whole or not at all, and leaves who may read it as it was. A link stays a link. False: it is not `before`, the
 * text that the new one was made of, and stays as it is.
 */
export function replaceFile(path: string, text: string, before: string | null = null): boolean {
  const real = realpathSync(path)
  const mode = statSync(real).mode & 0o7777
  const draft = join(dirname(real), `.${basename(real)}.${randomBytes(8).toString("hex")}`)
  try {
    writeDraft(draft, text, mode)
    // As late as can be: only an edit between this line and the next is lost.
    if (before !== null && readUtf8(real) !== before) {
      rmSync(draft, { force: true })
      return false
    }
    renameSync(draft, real)
    return true
  } catch (cause) {
    rmSync(draft, { force: true })
    throw cause
  }
}

function writeDraft(path: string, text: string, mode: number): void {
  const file = openSync(path, "wx", 0o600)
  try {
    fchmodSync(file, mode)
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
