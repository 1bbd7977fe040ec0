import { resolve } from "node:path"
import type { Io } from "../io.ts"

export type ReadText =
  | { readonly ok: true; readonly text: string; readonly name: string }
  | { readonly ok: false; readonly problem: string }

/** The text of a file, or of standard input for null. Problems name the whole path: a relative one may start elsewhere than meant. */
export async function readText(path: string | null, io: Io): Promise<ReadText> {
  const name = path === null ? "standard input" : resolve(io.cwd, path)
  try {
    const bytes = await (path === null ? io.readStdin() : io.readFile(name))
    const text = decode(bytes)
    return text === undefined
      ? { ok: false, problem: `${name} is not UTF-8 text. Save it as UTF-8.` }
      : { ok: true, text, name }
  } catch (cause) {
    return { ok: false, problem: `Cannot read ${name}: ${reasonOf(cause)}.` }
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // A fatal decoder throws for this one reason.
    return undefined
  }
}

const reasons = new Map([
  ["ENOENT", "there is no such file"],
  ["ENOTDIR", "part of the path is a file, not a folder"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "permission denied"],
])

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause))
}
