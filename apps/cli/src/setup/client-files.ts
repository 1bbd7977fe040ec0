import { readFileSync, realpathSync } from "node:fs"
import { posix, win32 } from "node:path"
import {
  type ClientProgram,
  type ClientServer,
  clientPrograms,
  clientServersIn,
  type FilePlace,
  type ServerFile,
} from "@byleave/formats/clients"
import type { Io } from "../io.ts"
import { leadsOutOf, leadsOutWords } from "./leads-out.ts"

/** The machine that clients are looked for on. `cwd`: the project's folder; null: none is looked at. */
export type SetupMachine = Pick<Io, "env" | "home" | "platform"> & { readonly cwd: string | null }

/** A file of a client that is there. */
export type ClientFile = {
  readonly client: ClientProgram
  readonly file: ServerFile
  readonly path: string
} & (
  | { readonly text: string; readonly servers: readonly ClientServer[] }
  /** It cannot be read; `line` counts from 1. */
  | { readonly problem: { readonly line: number; readonly message: string } }
)

/** Every configuration file of the clients that is on this machine; one that two clients share is the first one's. */
export function findClientFiles(machine: SetupMachine, only: string | null): readonly ClientFile[] {
  const seen = new Set<string>()
  return clientPrograms
    .filter(({ id }) => only === null || id === only)
    .flatMap((client) => client.files.map((file) => ({ client, file })))
    .flatMap(({ client, file }): readonly ClientFile[] => {
      const path = isOnPlatform(file, machine.platform) ? pathOf(file, machine) : null
      const real = path === null ? null : realPath(path)
      if (path === null || real === null || seen.has(real)) return []
      if (file.root === "project" && machine.cwd !== null && leadsOutOf(machine.cwd, path)) {
        return [{ client, file, path, problem: { line: 1, message: leadsOutWords } }]
      }
      seen.add(real)
      return [readClientFile(client, file, path)]
    })
}

function isOnPlatform({ on }: ServerFile, platform: string): boolean {
  return on === undefined || (on === "win32") === (platform === "win32")
}

function readClientFile(client: ClientProgram, file: ServerFile, path: string): ClientFile {
  const text = readTextFile(path)
  if (text === null)
    return { client, file, path, problem: { line: 1, message: "This file cannot be read as UTF-8 text." } }
  const found = clientServersIn(text, client, file)
  if (!found.ok) return { client, file, path, problem: { line: found.line, message: found.message } }
  return { client, file, path, text, servers: found.servers }
}

/** The whole path of a client's file; null where its folder is not known. */
export function pathOf({ root, path, moved }: FilePlace, machine: SetupMachine): string | null {
  const { join } = machine.platform === "win32" ? win32 : posix
  const folder = moved === undefined ? undefined : machine.env.get(moved.variable)
  if (moved !== undefined && folder) return join(folder, moved.path)
  const start = folders[root](machine, join)
  return start === null ? null : join(start, path)
}

type Join = (...parts: readonly string[]) => string

const folders: Readonly<Record<FilePlace["root"], (machine: SetupMachine, join: Join) => string | null>> = {
  home: ({ home }) => home ?? null,
  project: ({ cwd }) => cwd,
  config: ({ env, home }, join) => {
    const named = env.get("XDG_CONFIG_HOME")
    if (named?.startsWith("/")) return named
    return home === undefined ? null : join(home, ".config")
  },
  application: ({ env, home, platform }, join) => {
    if (home === undefined) return null
    if (platform === "win32") return env.get("APPDATA") || join(home, "AppData", "Roaming")
    if (platform === "darwin") return join(home, "Library", "Application Support")
    return folders.config({ env, home, platform, cwd: null }, join)
  },
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    // There is no such file, or a link leads nowhere.
    return null
  }
}

/** The text of a file, with its byte order mark; null where there is none, or no UTF-8. */
export function readTextFile(path: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path))
  } catch {
    return null
  }
}
