import { type ServerPolicy, unknownStart } from "@byleave/core"
import type { Transport } from "./config.ts"
import { given } from "./read/fields.ts"
import type { Reading } from "./read/reading.ts"
import { resolvePath } from "./read/resolve-path.ts"
import { programAt } from "./server-program.ts"

/**
 * The folders that a server is known to work in, its declared `cwd` and those among its arguments, and whatever else among them may be a folder that it takes a
 * relative path to start from. Where it is started is known only when the file says so. None where neither that nor its kind does: a path in the arguments of a
 * server that is not known to take folders may be anything.
 *
 * I1. Every argument, and each part of it behind `=`, `,` or `:`, may be such a start, whatever its name looks like, unless it is surely none: the name of an option, the server's
 *     program or package, a number, an address with a host.
 * I2. Where an argument cannot be read as a folder, moves the others, or hides which word the program is, one start is unknown.
 */
export function workingFolders(transport: Transport, reading: Pick<Reading, "folder" | "home">): WorkingFolders {
  if (transport.kind !== "stdio") return "url" in transport && isElsewhere(transport.url) ? { isRemote: true } : {}
  const { cwd } = transport
  const words = [transport.command, ...transport.args]
  const program = programAt(words)
  const filesystem = words.findIndex((word) => filesystemServer.test(word))
  if (cwd === undefined && filesystem === -1) return {}
  const behind = (at: number) => words.slice(at + 1).map(withoutOption)
  const named = filesystem === -1 ? behind(program ?? 0).filter(looksLikeFolder) : behind(filesystem).filter(isNoOption)
  const resolved = (text: string) => resolvePath(text, cwd ?? reading.folder, reading.home)
  const folders = new Set(named.flatMap((text) => resolved(text) ?? []))
  // The filesystem server takes each of its arguments for a folder, as it is written.
  const others = filesystem === program ? named : words.slice((program ?? 0) + 1).flatMap(possibleStarts)
  const found = others.map((text) => (text === null ? unknownStart : (resolved(text) ?? unknownStart)))
  const starts = new Set(program === null ? [...found, unknownStart] : found)
  return {
    ...given("cwd", cwd),
    ...listed("folders", folders),
    ...(cwd === undefined
      ? {}
      : listed("starts", new Set([...starts].filter((start) => start !== cwd && !folders.has(start))))),
  }
}

const filesystemServer = /^(?:\S*[\\/])?(?:mcp-)?server-filesystem(?:@[^\s\\/]+)?(?:[\\/]\S*|\.\w+)?$/

function listed<K extends string>(key: K, items: ReadonlySet<string>): { readonly [key in K]?: readonly string[] } {
  return given(key, items.size === 0 ? undefined : [...items]) as { readonly [key in K]?: readonly string[] }
}

/** The parts of an argument that may be folders; null for one that nobody can tell. */
function possibleStarts(word: string): ReadonlyArray<string | null> {
  if (movesOthers.test(word)) return [null]
  // Of `-dnotes`, the folder.
  const text = /^--/.test(word) ? (/^--[^=]*=(.*)$/s.exec(word)?.[1] ?? "") : word.replace(/^-.?/, "")
  return text.split(",").flatMap((item) => {
    if (isNoFolder(item)) return []
    if (expanded.test(item)) return [null]
    const parts = item.split("=").flatMap((part) => (isNoFolder(part) || drive.test(part) ? [part] : part.split(":")))
    return [...new Set([text, item, ...parts])].filter((part) => !isNoFolder(part))
  })
}

function isNoFolder(text: string): boolean {
  return text === "" || /^-?\d+(?:\.\d+)?$/.test(text) || /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^\s\\/]/i.test(text)
}

/** Options that have a program work in another folder, in which the other arguments start. */
const movesOthers = /^--?(?:C|cwd|chdir|(?:work|working|current)-?dir(?:ectory)?)(?:=|$)/
/** What programs and shells replace, or take apart in their own way. */
const expanded = /[\s"'`$%*?!;|&<>(){}[\]^]|^~[^\\/]/
const drive = /^[a-z]:[\\/]/i

type WorkingFolders = Pick<ServerPolicy, "cwd" | "folders" | "starts" | "isRemote">

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

/** Programs and their configuration files: a relative path may start there, but what lies at such a path is no folder that makes its own name harmless. */
const file =
  /\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|ini|conf|cfg|env|xml|properties|pyz?|rb|php|pl|lua|go|rs|jar|wasm|sh|bash|zsh|ps1|bat|cmd|exe|dll|so|db|sqlite3?|sock|pem|key|crt|log|txt|md|csv)$/i
