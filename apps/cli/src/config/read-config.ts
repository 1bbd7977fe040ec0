import { dirname, resolve } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { type LoadResult, loadConfig } from "@byleave/formats"
import { readText } from "../files/read-text.ts"
import type { Io } from "../io.ts"
import { type TemplateFiles, templateFiles } from "./template-files.ts"

export type ReadConfig = LoadResult | { readonly ok: false; readonly unreadable: string }

/** Reads and loads a configuration file, named as the user named it. */
export async function readConfig(path: string, io: Io): Promise<ReadConfig> {
  const read = await readText(path, io)
  if (!read.ok) return { ok: false, unreadable: `${read.problem} Specify the file with --config.` }
  return loadPolicy(read.text, path, io)
}

/** Loads the text of a configuration, for its policy alone: no server is started by it. */
export function loadPolicy(
  text: string,
  path: string,
  io: Pick<Io, "cwd" | "env" | "home">,
  { read: readTemplate }: TemplateFiles = templateFiles(),
): LoadResult {
  const { env, home } = io
  const folder = dirname(resolve(io.cwd, path))
  const options = { name: path, folder, env, hasher: nodeHasher, purpose: "policy" as const, readTemplate }
  return loadConfig(text, home === undefined ? options : { ...options, home })
}
