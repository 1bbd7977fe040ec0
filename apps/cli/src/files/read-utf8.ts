import { readFileSync } from "node:fs"

/** Null when it is not there, or no UTF-8. */
export function readUtf8(path: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch {
    return null
  }
}
