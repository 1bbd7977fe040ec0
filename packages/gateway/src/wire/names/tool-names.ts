/**
 * Names of the aggregate: `<server>__<tool>`, looked up and never split, for a server may name a tool anything. A name depends on nothing but the ids of
 * all servers and what its own server lists: no server that comes, goes or is slow changes the names of another's tools, and two replicas give the same.
 *
 * I1. A name leads to one tool: where two of a server would share one, also after `-` became `_` or without case, both are told apart.
 * I2. A name is looked up whole; what a server calls its tools can never reach into another server.
 * I3. What could be the name of another server's tool, by that server's id alone, is told apart whatever that server lists.
 */
import { type Hasher, portableHasher } from "@byleave/core"

/** Names of one server's tools. */
export type ToolNames = {
  readonly toolOf: (name: string) => string | undefined
  readonly nameOf: (tool: string) => string | undefined
}

const longest = 64
const unsafe = /[^A-Za-z0-9_-]/g
const hashLength = 8
/** No server can aim at such a hash of another's. */
const longHashLength = 16
const longestHash = 32

/** `servers`: the ids of all of them. */
export function toolNames(
  server: string,
  tools: Iterable<string>,
  servers: readonly string[],
  hasher: Hasher = portableHasher,
): ToolNames {
  const others = servers.filter((id) => id !== server)
  const plain = Array.from(new Set(tools), (tool) => ({ tool, name: `${server}__${tool}`.replace(unsafe, "_") }))
  const uses = new Map<string, number>()
  for (const { name } of plain) uses.set(folded(name), (uses.get(folded(name)) ?? 0) + 1)
  const toolByName = new Map<string, string>()
  const nameByTool = new Map<string, string>()
  const taken = new Set<string>()
  const needHash: Array<(typeof plain)[number] & { readonly length: number }> = []
  for (const entry of plain) {
    if (others.some((other) => mayLeadTo(entry.name, other))) needHash.push({ ...entry, length: longHashLength })
    else if (entry.name.length > longest || uses.get(folded(entry.name)) !== 1)
      needHash.push({ ...entry, length: hashLength })
    else put(entry.tool, entry.name)
  }
  for (const { tool, name, length } of needHash) put(tool, hashedName(name, [server, tool], length, hasher, taken))
  return { toolOf: (name) => toolByName.get(name), nameOf: (tool) => nameByTool.get(tool) }

  function put(tool: string, name: string): void {
    toolByName.set(name, tool)
    nameByTool.set(tool, name)
    taken.add(folded(name))
  }
}

/** Whether a name can be one of this server's tools, whatever the server lists. */
export function mayLeadTo(name: string, server: string): boolean {
  const beginning = folded(`${server}__`.replace(unsafe, "_")).slice(0, longest - 1 - longestHash)
  return folded(name.slice(0, beginning.length)) === beginning
}

// Some clients turn `-` into `_`, and some compare without case: names that fall together there are told apart here.
function folded(name: string): string {
  return name.replaceAll("-", "_").toLowerCase()
}

// A hash that a server aimed at another of its names is made longer until it fits.
function hashedName(
  name: string,
  ref: readonly [string, string],
  from: number,
  hasher: Hasher,
  taken: ReadonlySet<string>,
): string {
  const hash = hasher.sha256(JSON.stringify(ref))
  const hashed = (length: number): string => `${name.slice(0, longest - 1 - length)}_${hash.slice(0, length)}`
  for (let length = from; length < longestHash; length += hashLength) {
    if (!taken.has(folded(hashed(length)))) return hashed(length)
  }
  return hashed(longestHash)
}
