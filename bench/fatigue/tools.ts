import type { JsonObject } from "../../packages/core/src/call/json/json.ts"
import type { ToolFacts } from "../../packages/core/src/policy/decide/decision.ts"

/** A call as an agent makes it. */
export type MadeCall = { readonly server: "files" | "memory"; readonly tool: string; readonly args: JsonObject }

/** The folder that the filesystem server works in. */
export const workspace = "/srv/ws"

/** The tools of the filesystem and memory servers that only read, as their annotations say. */
const reads: ReadonlySet<string> = new Set([
  "read_text_file",
  "read_multiple_files",
  "list_directory",
  "directory_tree",
  "search_files",
  "get_file_info",
  "read_graph",
  "search_nodes",
  "open_nodes",
])

const facts = (access: "read" | "write"): ToolFacts => ({
  definition: null,
  fingerprint: "f",
  pin: "accepted",
  access,
  accessFrom: "annotation",
  accessCounts: true,
})
const readFacts = facts("read")
const writeFacts = facts("write")

export function factsOf(tool: string): ToolFacts {
  return reads.has(tool) ? readFacts : writeFacts
}

export const files = {
  read: (path: string): MadeCall => ({ server: "files", tool: "read_text_file", args: { path } }),
  readPart: (path: string, head: number): MadeCall => ({
    server: "files",
    tool: "read_text_file",
    args: { path, head },
  }),
  readMany: (paths: readonly string[]): MadeCall => ({ server: "files", tool: "read_multiple_files", args: { paths } }),
  list: (path: string): MadeCall => ({ server: "files", tool: "list_directory", args: { path } }),
  tree: (path: string): MadeCall => ({ server: "files", tool: "directory_tree", args: { path } }),
  info: (path: string): MadeCall => ({ server: "files", tool: "get_file_info", args: { path } }),
  search: (path: string, pattern: string): MadeCall => ({
    server: "files",
    tool: "search_files",
    args: { path, pattern },
  }),
  write: (path: string, content: string): MadeCall => ({
    server: "files",
    tool: "write_file",
    args: { path, content },
  }),
  edit: (path: string, oldText: string, newText: string): MadeCall => ({
    server: "files",
    tool: "edit_file",
    args: { path, edits: [{ oldText, newText }] },
  }),
  move: (source: string, destination: string): MadeCall => ({
    server: "files",
    tool: "move_file",
    args: { source, destination },
  }),
  makeFolder: (path: string): MadeCall => ({ server: "files", tool: "create_directory", args: { path } }),
} as const

export const memory = {
  graph: (): MadeCall => ({ server: "memory", tool: "read_graph", args: {} }),
  search: (query: string): MadeCall => ({ server: "memory", tool: "search_nodes", args: { query } }),
  open: (names: readonly string[]): MadeCall => ({ server: "memory", tool: "open_nodes", args: { names } }),
  create: (name: string, entityType: string, observations: readonly string[]): MadeCall => ({
    server: "memory",
    tool: "create_entities",
    args: { entities: [{ name, entityType, observations }] },
  }),
  observe: (entityName: string, contents: readonly string[]): MadeCall => ({
    server: "memory",
    tool: "add_observations",
    args: { observations: [{ entityName, contents }] },
  }),
  forget: (entityNames: readonly string[]): MadeCall => ({
    server: "memory",
    tool: "delete_entities",
    args: { entityNames },
  }),
} as const
