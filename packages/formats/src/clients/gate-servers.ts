import type { JsonValue } from "@byleave/core"
import type { AllowFile, ClientProgram, ServerFile } from "./client-programs.ts"
import { type ClientServer, serversBelow } from "./client-servers.ts"
import { type FileSyntax, fileSyntaxes } from "./file-syntax.ts"
import { dataOf, entryIn, type KeyPath, nodeAt, type PlacedMap } from "./placed-tree.ts"
import { type ChangedFile, type ChangeStep, changeFile } from "./setup-change.ts"
import { takeBack } from "./take-back.ts"

/** How one server of a file is put behind Byleave. */
export type GatedServer =
  | {
      readonly way: "wrap"
      readonly server: ClientServer /** `byleave wrap … --` */
      readonly words: readonly string[]
    }
  | { readonly way: "address"; readonly server: ClientServer; readonly url: string; readonly token: TokenText }

/** A token as it is written: itself, or as the variable that holds it. */
export type TokenText = { readonly secret: string } | { readonly variable: string }

/**
 * Puts servers of a client's file behind Byleave, with the client's own leave for them. Undefined where the file is laid out in a way that
 * cannot be changed safely.
 *
 * I1. The new text means what the old one meant, but for the pairs of these servers.
 * I2. What was changed can be taken back to the very text.
 */
export function gateServers(
  text: string,
  client: ClientProgram,
  file: Pick<ServerFile, "syntax" | "servers">,
  gated: readonly GatedServer[],
): ChangedFile | undefined {
  const syntax = fileSyntaxes[file.syntax]
  const before = syntax.read(text)
  if (!before.ok) return undefined
  const steps = gated.flatMap((each) => stepsOf(each, client, before.root))
  const changed = changeFile(text, before.root, steps, syntax)
  const after = changed && syntax.read(changed.text)
  if (changed === undefined || !after?.ok) return undefined
  const parts = gated.map(({ server }) => server.path)
  const servers = serversBelow(after.root, client, file)
  const isDone = isSame(before.root, after.root, parts) && gated.every((each) => isGated(each, servers))
  return isDone && isUndoable(text, changed, syntax) ? changed : undefined
}

/** Adds servers to the lists by which a client does not ask about them. `null`: there is no such file yet. */
export function allowServers(
  text: string | null,
  { lists }: AllowFile,
  servers: readonly string[],
): ChangedFile | undefined {
  const syntax = fileSyntaxes.json
  const before = text === null || text.replace(/^\uFEFF/, "").trim() === "" ? "{}\n" : text
  const steps = servers.flatMap((server) =>
    lists.flatMap(({ path, item }): readonly ChangeStep[] => {
      const written = item(server)
      return written === null ? [] : [{ kind: "item", path, item: written }]
    }),
  )
  const read = syntax.read(before)
  const changed = read.ok ? changeFile(before, read.root, steps, syntax) : undefined
  const after = changed && syntax.read(changed.text)
  if (!read.ok || changed === undefined || !after?.ok) return undefined
  const parts = lists.map(({ path }) => path.slice(0, 1))
  if (!isSame(read.root, after.root, parts) || !isUndoable(before, changed, syntax)) return undefined
  return before === text ? changed : { ...changed, text: `${JSON.stringify(JSON.parse(changed.text), null, 2)}\n` }
}

function stepsOf(gated: GatedServer, client: ClientProgram, root: PlacedMap): readonly ChangeStep[] {
  const { path } = gated.server
  const entry = nodeAt(root, path)
  const isOff =
    entry !== undefined && entryIn(entry, "enabled")?.value.kind === "scalar" && isFalse(root, [...path, "enabled"])
  const allow = Object.entries(client.allow)
    .filter(([key]) => !(isOff && key === "required"))
    .map(([key, value]): ChangeStep => ({ kind: "set", path: [...path, key], value }))
  const steps = gated.way === "wrap" ? wrapSteps(gated, client) : addressSteps(gated, client, root)
  return [...steps, ...allow]
}

function isFalse(root: PlacedMap, path: KeyPath): boolean {
  const node = nodeAt(root, path)
  return node?.kind === "scalar" && node.value === false
}

function wrapSteps(
  { server, words }: Extract<GatedServer, { way: "wrap" }>,
  { command }: ClientProgram,
): readonly ChangeStep[] {
  const { path, reached } = server
  if ("line" in command) return [{ kind: "words", path: [...path, command.line], words }]
  const [program = "", ...rest] = words
  const own = reached.kind === "command" ? [reached.command] : []
  const place = [...path, command.command]
  return [
    { kind: "set", path: place, value: program },
    { kind: "words", path: [...path, command.args], words: [...rest, ...own], command: place },
  ]
}

function addressSteps(
  { server, url, token }: Extract<GatedServer, { way: "address" }>,
  client: ClientProgram,
  root: PlacedMap,
): readonly ChangeStep[] {
  const { path } = server
  const entry = nodeAt(root, path)
  const has = (key: string) => entryIn(entry, key) !== undefined
  const [urlKey = "url"] = client.url
  const from = client.url.find(has)
  const { type } = client
  return [
    { kind: "set", path: [...path, urlKey], value: url, ...(from !== undefined && { from }) },
    ...(type !== undefined && !isValue(entry, type.key, type.value)
      ? [{ kind: "set", path: [...path, type.key], value: type.value } as const]
      : []),
    ...(client.id === "codex" ? codexToken(path, token, has) : [tokenHeader(path, token, client)]),
  ]
}

function isValue(entry: PlacedMap | ReturnType<typeof nodeAt>, key: string, value: string): boolean {
  const node = entryIn(entry, key)?.value
  return node?.kind === "scalar" && node.value === value
}

function tokenHeader(path: KeyPath, token: TokenText, client: ClientProgram): ChangeStep {
  const text = "secret" in token ? token.secret : (client.reference?.(token.variable) ?? "")
  return { kind: "set", path: [...path, client.headers], value: { Authorization: `Bearer ${text}` } }
}

/** Codex has keys of its own for a token in a variable, and no references. */
function codexToken(path: KeyPath, token: TokenText, has: (key: string) => boolean): readonly ChangeStep[] {
  const set = (key: string, value: JsonValue, from?: string): ChangeStep => ({
    ...{ kind: "set", path: [...path, key], value },
    ...(from !== undefined && { from }),
  })
  const empty = ["http_headers", "env_http_headers"].filter(has).map((key) => set(key, {}))
  if ("variable" in token) return [set("bearer_token_env_var", token.variable), ...empty]
  const header = { Authorization: `Bearer ${token.secret}` }
  const others = has("env_http_headers") ? [set("env_http_headers", {})] : []
  // The pair of the old token makes room for the new one.
  if (has("bearer_token_env_var") && !has("http_headers"))
    return [set("http_headers", header, "bearer_token_env_var"), ...others]
  return [
    ...(has("bearer_token_env_var") ? [set("bearer_token_env_var", "")] : []),
    set("http_headers", header),
    ...others,
  ]
}

/** Whether nothing but these parts means something else. */
function isSame(before: PlacedMap, after: PlacedMap, parts: readonly KeyPath[]): boolean {
  const keys = new Set(parts.map((part) => part.join("\0")))
  const isPart = (path: KeyPath) => keys.has(path.join("\0"))
  return JSON.stringify(dataOf(before, isPart)) === JSON.stringify(dataOf(after, isPart))
}

function isUndoable(text: string, changed: ChangedFile, syntax: FileSyntax): boolean {
  const back = takeBack(changed.text, changed.changes, syntax)
  return back.kept.length === 0 && back.text === text
}

function isGated(gated: GatedServer, servers: readonly ClientServer[]): boolean {
  const found = servers.find(({ path }) => path.join("\0") === gated.server.path.join("\0"))?.reached
  const before = gated.server.reached
  if (gated.way === "address") return found?.kind === "address" && found.url === gated.url
  if (found?.kind !== "wrapped" || before.kind !== "command") return false
  return JSON.stringify([found.wrap.command, found.wrap.args]) === JSON.stringify([before.command, before.args])
}
