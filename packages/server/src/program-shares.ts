/**
 * How many servers, and definitions of them, one program's credential may have known here: people look through all of them, and every one that
 * is new is remembered until somebody answers it.
 *
 * I1. No credential has more than its share, also when it tells of many servers at once, or of one again and again under other names.
 */
import type { ToolDefinition } from "@byleave/core"

/** `characters`: of all definitions together, written as JSON. */
export const programShare = { servers: 200, definitions: 10_000, characters: 32_000_000 } as const

/** How many characters of JSON each definition has that is known, by server and tool. */
export type KnownDefinitions = ReadonlyMap<string, ReadonlyMap<string, number>>

export type ProgramShares = {
  /** Runs `makeKnown` for a listing, or returns in words why it is too large. Listings of one credential go one after the other. */
  readonly within: (
    credential: string,
    listing: { readonly server: string; readonly tools: readonly ToolDefinition[] },
    makeKnown: () => Promise<void>,
  ) => Promise<string | null>
}

/** `knownOf`: of the servers that were last told by this credential. */
export function createProgramShares(knownOf: (credential: string) => Promise<KnownDefinitions>): ProgramShares {
  const last = new Map<string, Promise<unknown>>()
  return {
    within: (credential, { server, tools }, makeKnown) => {
      const told = async (): Promise<string | null> => {
        const known = await knownOf(credential)
        const refused = tooMuch(known, server, tools)
        if (refused === null) await makeKnown()
        return refused
      }
      const before = last.get(credential) ?? Promise.resolve()
      const telling = before.then(told, told)
      last.set(credential, telling)
      const over = (): void => {
        if (last.get(credential) === telling) last.delete(credential)
      }
      telling.then(over, over)
      return telling
    },
  }
}

function tooMuch(known: KnownDefinitions, server: string, tools: readonly ToolDefinition[]): string | null {
  const { servers, definitions, characters } = programShare
  if (!known.has(server) && known.size >= servers) {
    return `This credential has ${servers} servers here, which is as many as it may. Use another credential for more of them.`
  }
  const next = new Map(known.get(server))
  for (const tool of tools) next.set(tool.name, Math.max(next.get(tool.name) ?? 0, JSON.stringify(tool).length))
  const all = [next, ...[...known].flatMap(([id, own]) => (id === server ? [] : [own]))]
  const sizes = all.flatMap((own) => [...own.values()])
  if (sizes.length > definitions) {
    return `This credential's servers have more than ${definitions} tools together, which is more than it may. Use another credential for some of them.`
  }
  if (sizes.reduce((sum, size) => sum + size, 0) <= characters) return null
  return `The tools of this credential's servers are described in more than ${characters / 1_000_000} MB together, which is more than it may. Shorten them, or use another credential for some of the servers.`
}
