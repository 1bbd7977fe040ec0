/**
 * The files an answer can be remembered for, by the path in a call's arguments.
 *
 * I1. Beside the path, a yes leaves open only the texts that the card draws as the new content of that file. A patch is none: it names files itself.
 *     Everything else stays as it is in this call; where no condition can say so, nothing is offered.
 * I2. Each scope says what may differ.
 */
import type { ApprovalView, ServerView } from "@byleave/api"
import { shownArguments } from "@byleave/api/page"
import {
  type Breadth,
  type Condition,
  type JsonObject,
  keptAsGiven,
  keyOf,
  looksSecret,
  namesPath,
  namesProgram,
  pointerTo,
  shownName,
} from "@byleave/core"
import { shownChanges } from "../../review/shown-changes.ts"
import { hasSecret } from "./has-secret.ts"

export type PathScope = {
  readonly name: "file" | "folder"
  readonly label: string
  /** The file or folder, from the server's folder on where it lies in it. */
  readonly words: string
  /** What may differ between this call and those that the answer covers. */
  readonly differs: string
  readonly breadth: Breadth
}

/**
 * This file and this folder, where exactly one argument is a path that can be read in one way only: absolute, or relative to a server's folder
 * that is known and that no agent can change. A folder that holds everything, such as `/`, is not offered. A no covers whatever else is given.
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
  const key = keyOf([found.name])
  const texts = contentKeys(approval, found.name)
  const others = effect === "deny" ? [] : asGiven(found.args, new Set([key, ...texts]))
  if (others === null) return []
  // A list with more than texts in it is kept whole, and they with it.
  const isOpen = texts.some((text) => !others.some((one) => text === one.key || text.startsWith(`${one.key}.`)))
  const breadth = (when: Condition): Breadth => ({
    ...{ kind: "tool", server: serverId, tool },
    when: [when, ...others],
  })
  const folder = parentOf(full)
  const file: PathScope = {
    name: "file",
    label: "This file",
    words: wholeName(fromFolder(full, base)),
    differs: effect === "deny" ? anyOthers : isOpen ? `The file's content may differ; ${othersStay}` : onlyThis,
    breadth: breadth({ key, op: "file", path: full }),
  }
  if (folder === null) return [file]
  return [
    file,
    {
      name: "folder",
      label: "This folder",
      words: folderWords(folder, base),
      differs: effect === "deny" ? anyOthers : `The file${isOpen ? " and its content" : ""} may differ; ${othersStay}`,
      breadth: breadth({ key, op: "under", folder }),
    },
  ]
}

const othersStay = "everything else stays as in this call."
const onlyThis = "Every argument stays as in this call."
const anyOthers = "All other arguments may differ."

/**
 * The keys of the texts that the call puts into the file that `name` names, by a tool whose name says that it writes. What is named as a program is
 * carried out.
 */
function contentKeys(approval: ApprovalView, name: string): readonly string[] {
  const [change, ...more] = shownChanges(approval)
  if (change === undefined || more.length > 0) return []
  if (
    change.how === "patch" ||
    change.flag !== undefined ||
    !change.isNamedWriter ||
    change.pathPointer !== pointerTo("", name)
  )
    return []
  // Names that the card knows, and places in lists; a key means every element.
  const keys = change.pointers.map((pointer) =>
    pointer
      .slice(1)
      .replace(/\/\d+(?=\/|$)/g, "")
      .replaceAll("/", "."),
  )
  return [...new Set(keys)].filter((key) => !namesProgram(key))
}

/** The conditions on the other arguments; null: too many, or a secret among them, which no permission keeps. */
function asGiven(args: JsonObject, except: ReadonlySet<string>): readonly Condition[] | null {
  const kept = keptAsGiven(args, except)
  const isSecret = (one: Condition): boolean => one.op === "equals" && hasSecret(one.key, one.value)
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
  return base !== null && folder === base.replace(/\/$/, "")
    ? "the server's folder"
    : wholeName(`${fromFolder(folder, base)}/`)
}

function fromFolder(path: string, base: string | null): string {
  const inside = base === null ? null : `${base.replace(/\/$/, "")}/`
  return inside !== null && path.startsWith(inside) ? path.slice(inside.length) : path
}

function wholeName(name: string): string {
  return shownName(name, Number.POSITIVE_INFINITY)
}
