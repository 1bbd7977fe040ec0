import { dirname, resolve } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { type LoadResult, loadConfig } from "@byleave/formats"
import type { Io } from "./io.ts"

export type ReadConfig = LoadResult | { readonly ok: false; readonly unreadable: string }

/** Reads and loads a configuration file, named as the user named it. */
export async function readConfig(path: string, io: Io): Promise<ReadConfig> {
  const absolute = resolve(io.cwd, path)
  let bytes: Uint8Array
  try {
    bytes = await io.readFile(absolute)
  } catch (cause) {
    return { ok: false, unreadable: `Cannot read ${path}: ${reasonOf(cause)}. Name the file with --config.` }
  }
  const text = decode(bytes)
  if (text === undefined) return { ok: false, unreadable: `${path} is not UTF-8 text. Save it as UTF-8.` }
  const { env, home } = io
  const options = { name: path, folder: dirname(absolute), env, hasher: nodeHasher, purpose: "policy" as const }
  return loadConfig(text, home === undefined ? options : { ...options, home })
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
  ["EISDIR", "it is a folder"],
  ["EACCES", "you may not read it"],
])

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause))
}
