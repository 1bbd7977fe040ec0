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

/** Writes a file that is there already, whole or not at all, and leaves who may read it as it was. A link stays a link. */
export function replaceFile(path: string, text: string): void {
  const real = realpathSync(path)
  const mode = statSync(real).mode & 0o7777
  const draft = join(dirname(real), `.${basename(real)}.${randomBytes(8).toString("hex")}`)
  try {
    writeDraft(draft, text, mode)
    renameSync(draft, real)
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
