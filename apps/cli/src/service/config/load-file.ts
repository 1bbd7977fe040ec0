import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { type Config, type ConfigProblem, loadConfig } from "@byleave/formats"
import type { Io } from "../../io.ts"

export type LoadedFile =
  | { readonly ok: true; readonly config: Config; readonly text: string; readonly warnings: readonly ConfigProblem[] }
  | {
      readonly ok: false
      readonly error: string
      readonly text: string | null
      readonly problems: readonly ConfigProblem[]
    }

/** Reads the configuration that servers will be started by. `text`: where it has been read already. */
export function loadFile(path: string, io: Pick<Io, "env" | "home">, text = readUtf8(path)): LoadedFile {
  if (text === null) {
    return {
      ok: false,
      text,
      error: `Cannot read ${path}. It must be UTF-8 text that you are allowed to read.`,
      problems: [],
    }
  }
  const { env, home } = io
  const options = { name: path, folder: dirname(path), env, hasher: nodeHasher, purpose: "start" as const }
  const loaded = loadConfig(text, home === undefined ? options : { ...options, home })
  if (!loaded.ok) {
    return { ok: false, text, error: `${path} is invalid. Fix the problems listed.`, problems: loaded.problems }
  }
  return { ok: true, config: loaded.config, text, warnings: loaded.warnings }
}

/** Null when it is not there, or no UTF-8. */
export function readUtf8(path: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch {
    return null
  }
}
