/**
 * The servers in a client's file, and how the client reaches each.
 *
 * I1. An entry is a command or an address only where it has one way to be reached, whichever client reads it: which of two a client takes
 * is not guessed.
 */
import type { ClientProgram, ServerFile } from "./client-programs.ts"
import { fileSyntaxes } from "./file-syntax.ts"
import { entryIn, type KeyPath, nodeAt, type PlacedMap, type PlacedNode, textOf, textsOf } from "./placed-tree.ts"
import { type WrapCommand, wrapIn } from "./wrap-command.ts"

/** How a client reaches a server. */
export type ClientServerKind =
  /** It starts it. */
  | ({ readonly kind: "command"; readonly command: string; readonly args: readonly string[] } & StartedIn)
  /** It starts it behind a program that is called Byleave. */
  | ({ readonly kind: "wrapped"; readonly wrap: WrapCommand } & StartedIn)
  | { readonly kind: "address"; readonly url: string; readonly sse: boolean; readonly headers: HeaderTexts }
  /** It is no server of its own, or is written in a way that nobody can follow. `why` is a sentence. */
  | { readonly kind: "other"; readonly why: string; readonly isBuiltIn: boolean }

/** What a client's file says of where and how a program is started. */
type StartedIn = {
  /** What the file adds to the environment. */
  readonly env: ReadonlyMap<string, string>
  /** Whether another file adds to it, too. */
  readonly hasEnvFile: boolean
  readonly cwd: string | null
}

/** Headers as they are written; variables that hold one by its name; null where one cannot be read. */
export type HeaderTexts = {
  readonly written: ReadonlyMap<string, string>
  readonly fromVariables: ReadonlyMap<string, string>
} | null

export type ClientServer = {
  /** The name that the client knows it by. */
  readonly name: string
  readonly path: KeyPath
  readonly reached: ClientServerKind
}

export type FoundServers =
  | { readonly ok: true; readonly servers: readonly ClientServer[] }
  | { readonly ok: false; readonly line: number; readonly message: string }

/** The MCP servers of a client's file, in the order of the file. */
export function clientServersIn(
  text: string,
  client: ClientProgram,
  file: Pick<ServerFile, "syntax" | "servers">,
): FoundServers {
  if (text.replace(/^\uFEFF/, "").trim() === "") return { ok: true, servers: [] }
  const read = fileSyntaxes[file.syntax].read(text)
  return read.ok ? { ok: true, servers: serversBelow(read.root, client, file) } : read
}

/** The servers of a file that has been read. */
export function serversBelow(
  root: PlacedMap,
  client: ClientProgram,
  file: Pick<ServerFile, "servers">,
): readonly ClientServer[] {
  const maps = file.servers.flatMap((path) => expandPath(root, path))
  return maps.flatMap((path) => {
    const map = nodeAt(root, path)
    const entries = map?.kind === "map" ? map.entries : []
    return entries.flatMap(({ key, value }): readonly ClientServer[] => {
      // One place of servers may stand within another, as with opencode's two versions.
      if (maps.some((other) => other.join("\0") === [...path, key].join("\0"))) return []
      return [{ name: key, path: [...path, key], reached: reachedBy(value, client) }]
    })
  })
}

function expandPath(root: PlacedNode, path: KeyPath): readonly KeyPath[] {
  const star = path.indexOf("*")
  if (star < 0) return nodeAt(root, path)?.kind === "map" ? [path] : []
  const map = nodeAt(root, path.slice(0, star))
  const keys = map?.kind === "map" ? map.entries.map(({ key }) => key) : []
  return keys.flatMap((key) => expandPath(root, [...path.slice(0, star), key, ...path.slice(star + 1)]))
}

function reachedBy(entry: PlacedNode, client: ClientProgram): ClientServerKind {
  if (entry.kind !== "map") return other("it is not written as a map.")
  const type = textOf(entryIn(entry, client.type?.key ?? "type")?.value)
  if (type !== undefined && client.notServers?.includes(type)) {
    return { kind: "other", why: `it is part of ${client.title} (${type}).`, isBuiltIn: true }
  }
  const doubt = whyInDoubt(entry, client)
  if (doubt !== null) return other(doubt)
  const words = commandWords(entry, client)
  if (words === null) return other("its command is not written as text.")
  if (words !== undefined) {
    const wrap = wrapIn(words)
    const [command = "", ...args] = words
    if (command === "") return other("its command is empty.")
    const env = variablesOf(entry)
    if (env === null) return other("its environment is not written as a map of texts.")
    const startedIn = {
      env,
      hasEnvFile: entryIn(entry, "envFile") !== undefined,
      cwd: textOf(entryIn(entry, "cwd")?.value) ?? null,
    }
    return wrap === null ? { kind: "command", command, args, ...startedIn } : { kind: "wrapped", wrap, ...startedIn }
  }
  const found = client.url.map((key) => [key, textOf(entryIn(entry, key)?.value)] as const).find(([, url]) => url)
  if (found?.[1] === undefined) return other("it has neither a command nor an address.")
  // Gemini CLI and Qwen Code take an address under `url` for one that speaks SSE.
  const isSse =
    (type !== undefined && client.sse.includes(type)) ||
    (client.url.length > 1 && found[0] === "url" && type === undefined)
  return { kind: "address", url: found[1], sse: isSse, headers: headersOf(entry, client) }
}

const commandKey = /^(?:command|cmd)$/i
const addressKey = /^(?:(?:http|sse|ws|server|mcp|base|remote)?[_-]?ur[li]|endpoint|address|tcp)$/i
const typeKey = /^(?:type|transport|transport[_-]?type)$/i
const startsIt = /^(?:stdio|local)$/i
const connectsToIt = /^(?:https?|sse|remote|streamable(?:[_-]?http)?)$/i

/** Why it cannot be told how a client reaches the entry, in any client's words; null: it can. */
function whyInDoubt(entry: PlacedMap, client: ClientProgram): string | null {
  const set = entry.entries.filter(({ value }) => !(value.kind === "scalar" && (value.value ?? "") === ""))
  const commands = set.filter(({ key }) => commandKey.test(key))
  const addresses = set.filter(({ key }) => addressKey.test(key))
  if (commands.length > 0 && addresses.length > 0) {
    return `it has both a command and an address (${addresses[0]?.key}), and ${client.title} may use either. Remove one.`
  }
  if (commands.length > 1 || addresses.length > 1) {
    return `it has several ${commands.length > 1 ? "commands" : "addresses"}, and ${client.title} may use any. Keep one.`
  }
  const fitting = commands.length > 0 ? startsIt : connectsToIt
  const wrong = set.find(({ key, value }) => typeKey.test(key) && !fitting.test(textOf(value) ?? ""))
  if (wrong === undefined || commands.length + addresses.length === 0) return null
  return `its ${wrong.key} does not fit its ${commands.length > 0 ? "command" : "address"}. Correct one of them.`
}

function other(why: string): ClientServerKind {
  return { kind: "other", why, isBuiltIn: false }
}

/** Undefined where the entry has no command; null where it cannot be read. */
function commandWords(entry: PlacedNode, { command }: ClientProgram): readonly string[] | null | undefined {
  if ("line" in command) {
    const line = entryIn(entry, command.line)?.value
    return line === undefined ? undefined : (textsOf(line) ?? null)
  }
  const program = entryIn(entry, command.command)?.value
  if (program === undefined) return undefined
  const args = entryIn(entry, command.args)?.value
  const [text, texts] = [textOf(program), args === undefined ? [] : textsOf(args)]
  return text === undefined || texts === undefined ? null : [text, ...texts]
}

/** The variables that an entry adds to the environment; null where a client may read it otherwise than it is read here. */
function variablesOf(entry: PlacedMap): ReadonlyMap<string, string> | null {
  // Each client knows one of these names.
  const nodes = ["envs", "env", "environment"].flatMap((key) => entryIn(entry, key)?.value ?? [])
  const set = nodes.filter((node) => !(node.kind === "scalar" && (node.value ?? "") === ""))
  const isRead = set.every((node) => node.kind === "map" && node.entries.every(({ value }) => value.kind === "scalar"))
  return isRead ? new Map(set.flatMap((node) => [...textMap(node)])) : null
}

function textMap(node: PlacedNode | undefined): ReadonlyMap<string, string> {
  const entries = node?.kind === "map" ? node.entries : []
  return new Map(entries.flatMap(({ key, value }) => (value.kind === "scalar" ? [[key, String(value.value)]] : [])))
}

function headersOf(entry: PlacedNode, client: ClientProgram): HeaderTexts {
  const node = entryIn(entry, client.headers)?.value
  if (node !== undefined && (node.kind !== "map" || node.entries.some(({ value }) => textOf(value) === undefined))) {
    return null
  }
  const bearer = textOf(entryIn(entry, "bearer_token_env_var")?.value)
  const named = textMap(entryIn(entry, "env_http_headers")?.value)
  return {
    written: textMap(node),
    fromVariables: new Map([...named, ...(bearer === undefined ? [] : [["Authorization: Bearer", bearer] as const])]),
  }
}
