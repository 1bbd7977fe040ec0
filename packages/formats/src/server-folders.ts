import { looksSecret, unknownStart, type WorkingFolders } from "@byleave/core"
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
 * I1. Every argument, and each part of it behind `=`, `,` or `:`, may be such a start, whatever its name looks like, unless it is surely none: the name of an option, the
 *     server's program or package, an address with a host, a value of an option that takes no folder.
 * I2. Where an argument cannot be read as a folder, moves the others, or hides which word the program is, one start is unknown.
 * I3. What looks like a secret, and what the environment fills in unless it is a path, is never among the starts, in whole or in part: such a start is unknown.
 */
export function workingFolders(
  transport: Transport,
  reading: Pick<Reading, "folder" | "home" | "secrets">,
): WorkingFolders {
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
  const others =
    filesystem === program
      ? named
      : argumentsIn(words, program ?? 0).flatMap((one) => possibleStarts(one, reading.secrets))
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

const filesystemServer = /^(?:.*[\\/])?(?:mcp-)?server-filesystem(?:@[^\s\\/]+)?(?:[\\/].*|\.\w+)?$/

/** The words behind the program's own. */
function argumentsIn(words: readonly string[], program: number): readonly Argument[] {
  return words.slice(program + 1).map((word, at) => ({ word, before: at === 0 ? "" : (words[program + at] ?? "") }))
}

function listed<K extends string>(key: K, items: ReadonlySet<string>): { readonly [key in K]?: readonly string[] } {
  return given(key, items.size === 0 ? undefined : [...items]) as { readonly [key in K]?: readonly string[] }
}

/** An argument with the word before it, which may be the option that it is the value of. */
type Argument = { readonly word: string; readonly before: string }

/** The parts of an argument that may be folders; null for one that nobody can tell, or that may not be kept. */
function possibleStarts({ word, before }: Argument, secrets: ReadonlySet<string>): ReadonlyArray<string | null> {
  if (movesOthers.test(word)) return [null]
  if (isNoFolder(word) || surelyNone.test(`${before} ${word}`) || surelyNone.test(word.replace("=", " "))) return []
  const [, option, value] = /^--?([^=]*)=(.*)$/s.exec(word) ?? []
  if (option !== undefined && credential.test(option)) return []
  // Of `-dnotes`, the folder.
  const text = word.startsWith("--") ? (value ?? "") : word.replace(/^-.?/, "")
  if (text === "" || (isAddress(text) && !text.includes(","))) return []
  const name = option ?? /^--?(.*)$/s.exec(before)?.[1] ?? ""
  const isPath = pathLike.test(text)
  // Of what the environment fills in, only a path is no secret, and only as a whole.
  if ([...secrets].some((secret) => text.includes(secret))) return [isPath && !/[\s,=;]/.test(text) ? text : null]
  if (looksSecret(name, text) || isAddress(text)) return [null]
  // Of a command line, nobody knows which folder it names; the name of a folder may have spaces.
  if (isPath && !/^[-/][a-z]*c$/i.test(before) && !expanded.test(text.replaceAll(" ", ""))) {
    if (text.includes(" ")) return [text]
  }
  return text.split(",").flatMap((item) => {
    if (item === "" || isAddress(item)) return []
    if (expanded.test(item)) return [null]
    const parts = item.split("=").flatMap((part) => (isAddress(part) || drive.test(part) ? [part] : part.split(":")))
    return [...new Set([text, item, ...parts])].filter((part) => part !== "" && !isAddress(part))
  })
}

/** The name of an option, or nothing. */
function isNoFolder(word: string): boolean {
  return word === "" || /^--[^=]*$/.test(word)
}

function isAddress(text: string): boolean {
  return /^(?!file:)[a-z][a-z\d+.-]*:\/\/[^\s\\/]/i.test(text)
}

/** Options with values that are no folders, by both; and the word by which servers are told to speak MCP with the program that started them. */
const surelyNone = new RegExp(
  [
    "(?:^| )-{0,2}stdio$",
    "^--transport (?:sse|https?|streamable-?http)$",
    "^--(?:[a-z-]*-)?(?:port|timeout|limit|level|retries|size|count|depth) -?\\d+(?:\\.\\d+)?$",
    "^--log-?level (?:trace|debug|info|warn|warning|error|fatal|silent)$",
    "^--(?:config|settings|env)(?:-?file)? [^\\s,:]+\\.(?:json[c5]?|ya?ml|toml|ini|conf|cfg|env)$",
  ].join("|"),
  "i",
)
/** With `=`, no flag in front of a folder: `--password=x`. */
const credential = /(?:^|[_-])(?:token|password|passphrase|secret|api[_-]?key)$/i
/** Options that have a program work in another folder, in which the other arguments start. */
const movesOthers = /^--?(?:C|cwd|chdir|(?:work|working|current)-?dir(?:ectory)?)(?:=|$)/
/** What programs and shells replace, or take apart in their own way. */
const expanded = /[\s"'`$%*?!;|&<>(){}[\]^]|^~[^\\/]/
const drive = /^[a-z]:[\\/]/i
const pathLike = /^(?:[/~]|\.\.?(?:[/\\]|$)|[a-z]:[/\\]|\\\\)/i

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
  return pathLike.test(arg) && !file.test(arg)
}

/** Programs and their configuration files: a relative path may start there, but what lies at such a path is no folder that makes its own name harmless. */
const file =
  /\.(?:[cm]?[jt]sx?|json[c5]?|ya?ml|toml|ini|conf|cfg|env|xml|properties|pyz?|rb|php|pl|lua|go|rs|jar|wasm|sh|bash|zsh|ps1|bat|cmd|exe|dll|so|db|sqlite3?|sock|pem|key|crt|log|txt|md|csv)$/i
