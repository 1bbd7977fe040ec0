import { escapeGlob, literalOf } from "@byleave/core"
import { stripPrefix } from "../read/servers/strip-prefix.ts"
import type { KnownTools } from "./language.ts"

export type NamedTool = { readonly server: string; readonly tool: string }

export type JoinedName = {
  /** The servers and tools that it names, as globs, for servers that are known. */
  readonly known: readonly NamedTool[]
  /** Every way to take it apart, for names of servers that are not known. */
  readonly possible: readonly NamedTool[]
}

/** Takes a pattern apart that names server and tool as one word; `plain` is a server's name as the program writes it. */
export function splitJoined(
  pattern: string,
  separator: string,
  servers: readonly string[],
  plain: (name: string) => string = (name) => name,
): JoinedName {
  const known = servers.flatMap((server) =>
    stripPrefix(pattern, `${plain(server)}${separator}`)
      .filter((tool) => tool !== "")
      .map((tool) => ({ server: escapeGlob(server), tool })),
  )
  return { known, possible: possibleParts(pattern, separator) }
}

/** The tools that a restriction is about: those of known servers, or every way to read it where they do not tell. */
export function restrictedBy(
  pattern: string,
  separator: string,
  { known, possible }: JoinedName,
): readonly NamedTool[] {
  if (known.length === 0) return possible
  const [first = ""] = pattern.split(separator)
  // A wildcard where the server stands also means servers that nobody knows yet.
  return /[*?]/.test(first) ? [...known, ...possible] : known
}

/** Every place where the separator may be: written out, or within a wildcard. */
function possibleParts(pattern: string, separator: string): readonly NamedTool[] {
  const steps = pattern.match(/\[!?\]?[^\]]*\]|[\s\S]/gu) ?? []
  const found: NamedTool[] = []
  for (const [at, step] of steps.entries()) {
    const [before, after] = [steps.slice(0, at).join(""), steps.slice(at + 1).join("")]
    const rest = steps.slice(at).join("")
    if (rest.startsWith(separator)) found.push({ server: before, tool: rest.slice(separator.length) })
    if (step === "?" && separator.length === 1) found.push({ server: before, tool: after })
    if (step === "*") {
      // Of a longer separator, a part may be written out before the wildcard.
      const start = separator.length === 1 ? before : withoutEnd(before, "_")
      found.push({ server: `${start}*`, tool: `*${after}` })
    }
  }
  return found.filter(({ server, tool }) => server !== "" && tool !== "")
}

function withoutEnd(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end -= 1
  return text.slice(0, end)
}

/** Every character that `plainName` writes as `_`, and `_` itself. */
const rewrittenCharacter = "[!A-Za-z0-9-]"

/** The servers or tools whose names a program writes like this, as a glob: `_scope_notes` may be `@scope/notes`. */
export function writtenLike(name: string): string {
  return name.replaceAll("_", rewrittenCharacter)
}

/**
 * A restriction for every tool that a program writes like the named one. Where a tool has that very name, no other one can be given it
 * beside it, so that those that are known suffice.
 */
export function withToolsWrittenAlike(
  { server, tool }: NamedTool,
  plain: (name: string) => string,
  tools: KnownTools = new Map(),
): readonly NamedTool[] {
  const [id, name] = [literalOf(server), literalOf(tool)]
  const known = id === null ? [] : (tools.get(id) ?? [])
  if (name === null || !known.includes(name)) return [{ server, tool: writtenLike(tool) }]
  return known.filter((other) => plain(other) === name).map((other) => ({ server, tool: escapeGlob(other) }))
}

/** A name as a program sends it, cut in the middle where it is too long. */
export function cutName(name: string, { length, at, mark }: CutNames): string {
  return name.length > length ? `${name.slice(0, at)}${mark}${name.slice(at + mark.length - length)}` : name
}

/** A name that a program has cut in the middle, as a pattern for all that it may stand for; others as they are. */
export function uncutName(name: string, { length, at, mark }: CutNames): string {
  const isCut = name.length === length && name.startsWith(mark, at)
  return isCut ? `${name.slice(0, at)}*${name.slice(at + mark.length)}` : name
}

/** How a program cuts names that are longer than it may send. */
export type CutNames = { readonly length: number; readonly at: number; readonly mark: string }

/** The name as a program writes it that `writtenLike` gives this glob for; null for other globs. */
export function writtenName(glob: string): string | null {
  const name = glob.replaceAll(rewrittenCharacter, "_")
  return name !== glob && /^[A-Za-z0-9_-]+$/.test(name) ? name : null
}

/** A glob of a language whose only wildcard is `*`, as one of ours. */
export function starGlob(pattern: string): string {
  return pattern.split("*").map(escapeGlob).join("*")
}
