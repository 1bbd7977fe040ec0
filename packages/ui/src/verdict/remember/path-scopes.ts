/** The files an answer can be remembered for, by the path in a call's arguments. */
import type { ApprovalView, ServerView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import {
  type Breadth,
  type Condition,
  type JsonObject,
  keptAsGiven,
  looksSecret,
  namesPath,
  showText,
} from "@byleave/core"
import { readsOf } from "./known-access.ts"

export type PathScope = {
  readonly name: "file" | "folder"
  readonly label: string
  /** The file or folder, from the server's folder on where it lies in it. */
  readonly words: string
  readonly breadth: Breadth
}

/**
 * This file and this folder, where exactly one argument is a path that can be read in one way only: absolute, or relative to a server's folder
 * that is known and that no agent can change. A folder that holds everything, such as `/`, is not offered. A yes covers calls whose other arguments
 * are those of this call; their texts may differ. A no covers whatever else is given.
 */
export function pathScopes(
  approval: ApprovalView,
  server: ServerView | null,
  effect: "allow" | "deny",
): readonly PathScope[] {
  const found = onlyPath(approval)
  if (approval.kind !== "tool" || found === null) return []
  const base = server?.folder ?? null
  // Where the agent names the folders, the same path is another file for another agent.
  const full = absolute(found.path, approval.connection?.hasRoots === true ? null : base)
  if (full === null) return []
  const { server: serverId, tool } = approval.tool
  const key = found.name.replace(/[\\.]/g, "\\$&")
  const others = effect === "deny" ? [] : asGiven(found.args, key, server !== null && readsOf(server).includes(tool))
  if (others === null) return []
  const breadth = (when: Condition): Breadth => ({
    ...{ kind: "tool", server: serverId, tool },
    when: [when, ...others],
  })
  const folder = parentOf(full)
  const file: PathScope = {
    name: "file",
    label: "This file",
    words: fromFolder(full, base),
    breadth: breadth({ key, op: "file", path: full }),
  }
  if (folder === null) return [file]
  return [
    file,
    {
      name: "folder",
      label: "This folder",
      words: folderWords(folder, base),
      breadth: breadth({ key, op: "under", folder }),
    },
  ]
}

/** The conditions on the other arguments; null: too many, or a secret among them, which no permission keeps. */
function asGiven(args: JsonObject, except: string, isRead: boolean): readonly Condition[] | null {
  const kept = keptAsGiven(args, { except, isRead })
  const isSecret = (condition: Condition): boolean =>
    (condition.op === "equals" ? [condition.value] : condition.op === "oneOf" ? condition.values : []).some(
      (value) => typeof value === "string" && looksSecret(condition.key, value),
    )
  return kept === null || kept.some(isSecret) ? null : kept
}

type OnlyPath = { readonly name: string; readonly path: string; readonly args: JsonObject }

function onlyPath(approval: ApprovalView): OnlyPath | null {
  const args = shownArguments(approval)
  if (args === null) return null
  const named = Object.entries(args).filter(([name]) => namesPath(name))
  const [only] = named
  if (only === undefined || named.length > 1) return null
  const [name, path] = only
  return typeof path === "string" && isPlain(path) && !looksSecret(name, path) ? { name, path, args } : null
}

/** A path that systems read in different ways, or that climbs out of a folder, is left to a rule written by hand. */
function isPlain(path: string): boolean {
  return path !== "" && !/[\p{Cc}\p{Cf}\\%]|^~|\/\/|:\/\//u.test(path) && !path.split("/").includes("..")
}

function absolute(path: string, base: string | null): string | null {
  if (path.startsWith("/")) return path.replace(/\/\.(?=\/|$)/g, "")
  if (base === null || !base.startsWith("/")) return null
  return `${base.replace(/\/$/, "")}/${path.replace(/^(\.\/)+/, "")}`
}

function parentOf(path: string): string | null {
  const parent = path.replace(/\/$/, "").replace(/\/[^/]*$/, "")
  return parent === "" ? null : parent
}

function folderWords(folder: string, base: string | null): string {
  return base !== null && folder === base.replace(/\/$/, "") ? "the server's folder" : `${fromFolder(folder, base)}/`
}

function fromFolder(path: string, base: string | null): string {
  const inside = base === null ? null : `${base.replace(/\/$/, "")}/`
  return showText(inside !== null && path.startsWith(inside) ? path.slice(inside.length) : path)
}
