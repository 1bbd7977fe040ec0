import type { JsonValue } from "../../packages/core/src/call/json/json.ts"
import type { MadeCall } from "./tools.ts"

/** The person's answer to a call on a day, whether they are asked or not. It knows nothing of how rules are suggested. */
export type Person = (call: MadeCall, day: number) => boolean

/** Files and words that this person gives to no agent. */
const secretFile =
  /(^|\/)(\.env(\.\w+)?|\.npmrc|\.netrc|\.aws|\.ssh|\.git|id_(rsa|ed25519)(\.\w+)?|credentials(\.\w+)?|[\w-]*secrets?([._-]\w+)*|[\w-]+\.(pem|key|p12)|prod\.env|tokens\.json|passwords?\.\w+)(\/|$)/i
const secretText = /password\s*[:=]|AKIA[A-Z0-9]{16}|ghp_\w{20}|BEGIN [A-Z ]*PRIVATE KEY/

export type Taste = {
  /** Top folders, or folders below, in which agents may read; nothing else may be read. */
  readonly reads: RegExp
  /** Where agents may write, edit and make folders. */
  readonly writes: RegExp
  /** Never, though a wider one of these would let it. */
  readonly never: RegExp
  /** Kinds of entities that agents may keep in the memory. */
  readonly entityTypes: readonly string[]
}

const readers = new Set(["read_text_file", "read_multiple_files", "get_file_info"])
const browsers = new Set(["list_directory", "directory_tree", "search_files"])
const writers = new Set(["write_file", "edit_file", "create_directory"])

/** Answers by a fixed rule. Moving files and forgetting entities is done by hand here. */
export function personOf(taste: Taste): Person {
  const mayTouch = (path: string, where: RegExp) =>
    !secretFile.test(path) && !path.includes("..") && where.test(path) && !taste.never.test(path)
  return ({ server, tool, args }) => {
    if (secretText.test(JSON.stringify(args))) return false
    if (server === "memory") return tool !== "delete_entities" && entityTypesOf(args.entities).every(isAllowedType)
    const paths = [args.path, ...(Array.isArray(args.paths) ? args.paths : [])].filter(
      (path) => typeof path === "string",
    )
    if (readers.has(tool)) return paths.every((path) => mayTouch(path, taste.reads))
    if (browsers.has(tool)) {
      const pattern = typeof args.pattern === "string" ? args.pattern : ""
      return !secretFile.test(`/${pattern}`) && !/\.(env|pem|key)/.test(pattern) && paths.every(mayBrowse)
    }
    return writers.has(tool) && paths.every((path) => mayTouch(path, taste.writes))
  }

  function isAllowedType(type: string): boolean {
    return taste.entityTypes.includes(type)
  }

  /** Names of files may be seen wherever files may be read. */
  function mayBrowse(path: string): boolean {
    return mayTouch(`${path}/`, taste.reads)
  }
}

function entityTypesOf(entities: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(entities)) return []
  return entities.map((entity) => String((entity as { readonly entityType?: JsonValue }).entityType))
}
