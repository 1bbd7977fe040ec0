import type { ServerPolicy } from "@byleave/core"
import type { Transport } from "./config.ts"
import { given } from "./read/fields.ts"
import type { Reading } from "./read/reading.ts"
import { resolvePath } from "./read/resolve-path.ts"

/**
 * The folders that a server is known to work in: its declared `cwd`, and those among its arguments, each of which it may take a relative path to start from. Where
 * it is started is known only when the file says so. None where neither that nor its kind does: a path in the arguments of a server that is not known to take
 * folders may be anything.
 */
export function workingFolders(transport: Transport, reading: Pick<Reading, "folder" | "home">): WorkingFolders {
  if (transport.kind !== "stdio") return "url" in transport && isElsewhere(transport.url) ? { isRemote: true } : {}
  const { cwd, args } = transport
  const from = args.findIndex((arg) => /server-filesystem\b/.test(arg)) + 1
  if (cwd === undefined && from === 0) return {}
  const named =
    from === 0
      ? args.map(withoutOption).filter(looksLikeFolder)
      : args.slice(from).map(withoutOption).filter(isNoOption)
  const folders = named.flatMap((text) => resolvePath(text, cwd ?? reading.folder, reading.home) ?? [])
  return { ...given("cwd", cwd), ...(folders.length === 0 ? {} : { folders: [...new Set(folders)] }) }
}

type WorkingFolders = Pick<ServerPolicy, "cwd" | "folders" | "isRemote">

/** An address of this machine by another name is taken for one elsewhere. */
function isElsewhere(url: string): boolean {
  const host = /^https?:\/\/([a-z0-9.-]+)(?:[:/?#]|$)/i.exec(url)?.[1]
  return host !== undefined && !/^(?:(?:.*\.)?localhost\.?|127\..*|0\.0\.0\.0)$/i.test(host)
}

/** Of `--root=/srv`, the folder. */
function withoutOption(arg: string): string {
  return /^-[^=]*=(.+)$/.exec(arg)?.[1] ?? arg
}

function isNoOption(arg: string): boolean {
  return arg !== "" && !arg.startsWith("-")
}

function looksLikeFolder(arg: string): boolean {
  return /^(?:[/~]|\.\.?(?:[/\\]|$)|[a-z]:[/\\]|\\\\)/i.test(arg) && !file.test(arg)
}

/** Programs and their configuration files. Any other name with a dot may be a folder: one too many only asks a person more often. */
const file =
  /\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|ini|conf|cfg|env|xml|properties|pyz?|rb|php|pl|lua|go|rs|jar|wasm|sh|bash|zsh|ps1|bat|cmd|exe|dll|so|db|sqlite3?|sock|pem|key|crt|log|txt|md|csv)$/i
