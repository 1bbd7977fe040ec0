import { dirname, resolve } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { type LoadResult, loadConfig } from "@byleave/formats"
import { readText } from "../files/read-text.ts"
import type { Io } from "../io.ts"

export type ReadConfig = LoadResult | { readonly ok: false; readonly unreadable: string }

/** Reads and loads a configuration file, named as the user named it. */
export async function readConfig(path: string, io: Io): Promise<ReadConfig> {
  const read = await readText(path, io)
  if (!read.ok) return { ok: false, unreadable: `${read.problem} Specify the file with --config.` }
  const { env, home } = io
  const folder = dirname(resolve(io.cwd, path))
  const options = { name: path, folder, env, hasher: nodeHasher, purpose: "policy" as const }
  return loadConfig(read.text, home === undefined ? options : { ...options, home })
}
