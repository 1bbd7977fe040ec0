/**
 * Which of a command's arguments choose what it runs, and whether the folder it is started in does.
 *
 * Anything may be run by an argument or found in the folder, so both count. A few forms are understood well enough to leave out the folder,
 * and folders that the server is to work on: a file that Node or Python runs, a server's package from a registry, a container, and a command
 * that is a server by its name.
 *
 * I1. What npx takes from a project is not foretold: in any project, the project's folder counts. Nor is npx started elsewhere, since the
 * server would work in that folder, and find programs of the project all the same.
 */
import { existsSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"
import { ownHome } from "./home-variables.ts"
import { isAddress, isRenewable } from "./program-words.ts"
import { plainName } from "./server-name.ts"

export type Chosen = {
  readonly args: readonly string[]
  readonly folder: string
  /** The folder chooses, too: an argument names something in it, or may. */
  readonly isOfFolder: boolean
}

/** `isUnderstood`: of a form of which it is known that no argument names a program that PATH finds. */
export type ChosenBy = Chosen & { readonly isUnderstood: boolean }

/** Found by their name, they are the same program wherever they are installed. */
const runners = new Set([
  ...["node", "npm", "npx", "pnpm", "yarn", "bun", "bunx", "deno", "tsx", "python", "uv", "uvx", "docker", "podman"],
])

/** Switches that stand alone and choose nothing: what follows them is not theirs. */
const switches: Readonly<Record<string, ReadonlySet<string>>> = {
  node: new Set(["--no-warnings", "--enable-source-maps", "--experimental-strip-types"]),
  python: new Set(["-u", "-B", "-E", "-I", "-O", "-q", "-s"]),
  npx: new Set(["-y", "--yes", "-q", "--quiet", "-s", "--silent", "--offline", "--prefer-offline"]),
  uvx: new Set(["-q", "--quiet", "--offline", "--isolated"]),
}

/** A command's name without its version: `python3.12` is no other runner than `python`. */
export function plainRunner(command: string): string {
  return plainName(command).replace(/(?<=[a-z])[\d.]+$/, "")
}

export function isRunner(name: string): boolean {
  return runners.has(name)
}

/** `own`: the command's file, where it is known. */
export function chosenBy(name: string, own: string | null, args: readonly string[], cwd: string): ChosenBy {
  const understood = isContainer(name, args)
    ? { args, folder: cwd, isOfFolder: false }
    : switches[name] !== undefined
      ? byTarget(name, args, cwd)
      : byServer(name, own, args, cwd)
  if (understood !== null) return { ...understood, isUnderstood: true }
  return { args, folder: workFolder(name, args, cwd), isOfFolder: true, isUnderstood: false }
}

/** `uv --directory X` works as if it had been started in X. */
function workFolder(name: string, args: readonly string[], cwd: string): string {
  const [first, second] = args[0] === "run" ? args.slice(1) : args
  return name === "uv" && first === "--directory" ? resolve(cwd, second ?? "") : cwd
}

/** `docker run` with an image; what follows the image is looked for inside of it. */
function isContainer(name: string, args: readonly string[]): boolean {
  if ((name !== "docker" && name !== "podman") || args[0] !== "run") return false
  for (let at = 1; at < args.length; at++) {
    const arg = args[at] ?? ""
    if (!arg.startsWith("-")) return /^[\w.-]+(\/|:|@|$)/.test(arg)
    if (/^(-i|--interactive|--rm|--init|-it?)$/.test(arg)) continue
    const [, longValue] = /^--(?:env|volume|network|name|pull|user)=(.*)$/s.exec(arg) ?? []
    const isShort = /^(-e|-v|-u|--env|--volume|--network|--name|--pull|--user)$/.test(arg)
    const value = longValue ?? (isShort ? args[++at] : undefined)
    const isVolume = arg === "-v" || arg.startsWith("--volume")
    if (value === undefined || (isVolume && !isAbsolute(value))) return false
  }
  return false
}

/** The file or package that a runner is given, with what follows it. */
function byTarget(name: string, args: readonly string[], folder: string): Chosen | null {
  const at = args.findIndex((arg) => switches[name]?.has(arg) !== true)
  const target = args[at] ?? ""
  const behind = plainArguments(args.slice(at + 1), folder)
  if (at < 0 || target.startsWith("-") || behind === null) return null
  if (name === "node" || name === "python")
    return { args: [whereFile(target, folder), ...behind], folder, isOfFolder: false }
  if (!isPackage(name, target)) return null
  const project = name === "npx" ? projectOf(folder) : null
  return { args: [target, ...behind], folder: project ?? folder, isOfFolder: project !== null }
}

/** A command that is a server by its name is no launcher of something else. */
function byServer(name: string, own: string | null, args: readonly string[], folder: string): Chosen | null {
  const plain = own === null || !isServerName(name) ? null : plainArguments(args, folder)
  return plain === null ? null : { args: plain, folder, isOfFolder: false }
}

/** Names of servers, but not of what starts or stands before other servers. */
export function isServerName(name: string): boolean {
  return (
    /mcp|server/i.test(name) &&
    !/^mcp$|mcpo|fastmcp|prox|inspect|guard|gate|wrap|launch|run|exec|cli|bridge/i.test(name)
  )
}

/** Arguments that mean the same in every folder, without the folders to work on; null where one may mean something else. */
function plainArguments(args: readonly string[], folder: string): readonly string[] | null {
  const isPlain = args.every((arg, at) => isFixed(arg) || isRenewable(args, at, folder))
  if (!isPlain) return null
  return args.filter((arg, at) => !(isAbsolute(arg) && isFolder(arg)) || isSwitch(args[at - 1] ?? ""))
}

/** Means the same in every folder: a switch, a number, a whole path or an address. */
function isFixed(word: string): boolean {
  if (isSwitch(word)) return true
  const [, given] = /^--?[\w.-]+=([\s\S]*)$/.exec(word) ?? []
  const value = given ?? word
  if (/^(\d+|true|false|stdio|sse|http|streamable-http)$/.test(value) || isAddress(value)) return true
  // Several paths in one may be of the folder from the second on.
  return isAbsolute(value) && !/[:;,\s]/.test(value.slice(2))
}

function isSwitch(word: string): boolean {
  return /^(-[a-z]|--[a-z][\w-]*)$/i.test(word)
}

/** A file by its whole path, found as Node finds it. */
function whereFile(target: string, folder: string): string {
  const path = resolve(folder, target)
  return ["", ".js", ".json", ".node"].map((ending) => path + ending).find(isFile) ?? path
}

const npmPackage = /^((?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)(?:@[\w^~][\w.+-]*)?$/
const pythonPackage = /^([a-z\d][\w.-]*)(?:\[[\w,-]+\])?(?:(?:==|@)\w[\w.]*)?$/i
const fileEnding = /\.(tgz|tar|gz|zip|whl|py|[cm]?js)$/i

/** A server's package from a registry, and not something else. */
function isPackage(runner: string, target: string): boolean {
  const [, name] = (runner === "uvx" ? pythonPackage : npmPackage).exec(target) ?? []
  return name !== undefined && !fileEnding.test(target) && isServerName(name)
}

/** The nearest folder in which npx may find packages, commands or settings of a project; null: there is none. */
function projectOf(start: string): string | null {
  for (let folder = start; ; folder = dirname(folder)) {
    // The settings of the user are the same everywhere.
    const marks = folder === ownHome() ? ["node_modules", "package.json"] : ["node_modules", "package.json", ".npmrc"]
    if (marks.some((each) => existsSync(join(folder, each)))) return folder
    if (dirname(folder) === folder) return null
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
