/**
 * Names of the aggregate: `<server>__<tool>`, made from the whole catalogue and looked up, never split, for a server may
 * name a tool anything. A name depends on nothing but the set of tools, so two replicas give the same.
 *
 * I1. A name leads to one tool: where two would share one, also after `-` became `_` or without case, both are told apart.
 * I2. A name is looked up whole; what a server calls its tools can never reach into another server.
 */
import { type Hasher, portableHasher, type ToolRef } from "@byleave/core"

export type ToolNames = {
  readonly toolOf: (name: string) => ToolRef | undefined
  readonly nameOf: (tool: ToolRef) => string | undefined
}

const longest = 64
const unsafe = /[^A-Za-z0-9_-]/g
const hashLength = 8

export function toolNames(tools: readonly ToolRef[], hasher: Hasher = portableHasher): ToolNames {
  const each = new Map(tools.map((tool) => [keyOf(tool), tool]))
  const plain = Array.from(each.values(), (tool) => ({
    tool,
    name: `${tool.server}__${tool.tool}`.replace(unsafe, "_"),
  }))
  const uses = new Map<string, number>()
  for (const { name } of plain) uses.set(folded(name), (uses.get(folded(name)) ?? 0) + 1)
  const toolByName = new Map<string, ToolRef>()
  const nameByTool = new Map<string, string>()
  const taken = new Set<string>()
  const needHash: Array<(typeof plain)[number]> = []
  for (const entry of plain) {
    if (entry.name.length > longest || uses.get(folded(entry.name)) !== 1) needHash.push(entry)
    else put(entry.tool, entry.name)
  }
  for (const { tool, name } of needHash) {
    put(tool, hashedName(name, tool, hasher, taken))
  }
  return { toolOf: (name) => toolByName.get(name), nameOf: (tool) => nameByTool.get(keyOf(tool)) }

  function put(tool: ToolRef, name: string): void {
    toolByName.set(name, tool)
    nameByTool.set(keyOf(tool), name)
    taken.add(folded(name))
  }
}

// Some clients turn `-` into `_`, and some compare without case: names that fall together there are told apart here.
function folded(name: string): string {
  return name.replaceAll("-", "_").toLowerCase()
}

// A hash that a hostile server aimed at another name is made longer until it fits.
function hashedName(name: string, tool: ToolRef, hasher: Hasher, taken: ReadonlySet<string>): string {
  const hash = hasher.sha256(keyOf(tool))
  for (let length = hashLength; length < longest - 1; length += hashLength) {
    const hashed = `${name.slice(0, longest - 1 - length)}_${hash.slice(0, length)}`
    if (!taken.has(folded(hashed))) return hashed
  }
  return hash
}

function keyOf(tool: ToolRef): string {
  return JSON.stringify([tool.server, tool.tool])
}
