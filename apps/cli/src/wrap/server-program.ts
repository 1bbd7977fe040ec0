/**
 * Which program a wrapped server is, in words people can compare: another program under the same name is another server, and waits to be
 * accepted. Where it is in doubt whether two are the same, they are not.
 *
 * By default all of it counts: the command, its arguments, the folder it is started in, variables by which programs load code, and
 * those that lead to other settings than the user's own (home-variables.ts). The parts that may be left out are in chosen-program.ts.
 */
import { createHmac } from "node:crypto"
import { accessSync, constants, statSync } from "node:fs"
import { basename, delimiter, isAbsolute, join, resolve } from "node:path"
import { type IsMount, isMountPoint, shownMount } from "./app-image-mount.ts"
import { type Chosen, chosenBy, isRunner, plainRunner } from "./chosen-program.ts"
import { leadsElsewhere } from "./home-variables.ts"
import { isAddress, type ProgramWord, programWords } from "./program-words.ts"

export type Started = {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: ReadonlyMap<string, string>
}

/** By these, programs load code that is in none of their arguments, or choose where it comes from. */
const codeVariables = new Set([
  ...[
    "NODE_OPTIONS",
    "NODE_PATH",
    "NODE_REPL_EXTERNAL_MODULE",
    "VIRTUAL_ENV",
    "ENV",
    "BASH_ENV",
    "ZDOTDIR",
    "CLASSPATH",
  ],
  ...["JAVA_HOME", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LUA_INIT", "LUA_PATH", "LUA_CPATH"],
  ...["OPENSSL_CONF", "GCONV_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_EXEC_PATH", "ELECTRON_RUN_AS_NODE"],
])
const codeFamilies = [
  ...["LD_", "DYLD_", "npm_config_", "UV_", "PIP_", "PYTHON", "PERL", "RUBY", "GEM_", "BUNDLE_", "BUN_", "DENO_"],
  ...["TSX_", "TS_NODE_", "YARN_", "PNPM_", "COREPACK_", "VOLTA_", "DOCKER_", "CONTAINER_", "DOTNET_", "PHP", "JULIA_"],
].map((name) => name.toLowerCase())
/** npm sets them for what it runs: its own version, and credentials. */
const notOfCode = /^npm_config_(user_agent|npm_version|noproxy|\/\/.*:_\w+)$/i

const longest = 4_000

/** `key`: of this installation, so that what is not shown cannot be guessed from its digest. */
export function serverProgram(started: Started, key: string, isMount: IsMount = isMountPoint): string {
  const { words, folder } = programOf(started)
  const variables = codeVariablesOf(started, isMount)
  const where = folder ?? (variables.some(isRelative) ? started.cwd : null)
  const all: readonly ProgramWord[] = [...programWords(variables, started.cwd), ...words]
  const text = [...all.map(({ shown }) => quoted(shown)), ...(where === null ? [] : [`(in ${quoted(where)})`])].join(
    " ",
  )
  const unseen = all.flatMap(({ hidden }) => hidden ?? [])
  if (text.length <= longest && unseen.length === 0) return text
  const digest = createHmac("sha256", key)
    .update(JSON.stringify([text, ...unseen]))
    .digest("hex")
  return `${text.slice(0, longest)} (with what is not shown: ${digest.slice(0, 16)})`
}

type Program = { readonly words: readonly ProgramWord[]; readonly folder: string | null }

function programOf(started: Started): Program {
  const { command, args, cwd } = started
  const name = plainRunner(command)
  const [first = "", inner] = args
  const own = commandOf(started, name)
  // Clients on Windows start everything so.
  if (isWindowsShell(own) && first.toLowerCase() === "/c" && inner !== undefined) {
    const { words, folder } = programOf({ ...started, command: inner, args: args.slice(2) })
    return { words: [{ shown: own }, { shown: first }, ...words], folder }
  }
  const chosen: Chosen = chosenBy(name, isAbsolute(own) ? own : null, args, cwd)
  return {
    words: [{ shown: own }, ...programWords(chosen.args, chosen.folder)],
    folder: chosen.isOfFolder ? chosen.folder : null,
  }
}

/** A runner that is found by its name is the same wherever it is installed; any other command is the file it is. */
function commandOf({ command, cwd, env }: Started, name: string): string {
  if (command.includes("/") || command.includes("\\")) return resolve(cwd, command)
  return isRunner(name) ? command : (inPath(command, cwd, env.get("PATH")) ?? command)
}

/** A file of that name, in the folder or in a folder of PATH, is a program like any other. */
function isWindowsShell(own: string): boolean {
  return /^([a-z]:\\windows\\system32\\)?cmd(\.exe)?$/i.test(own)
}

function codeVariablesOf({ command, env }: Started, isMount: IsMount): readonly string[] {
  const shown = shownMount(env.get("APPDIR") ?? "", isMount)
  return [...env]
    .filter(([name, value]) => (value !== "" && isOfCode(name, plainRunner(command))) || leadsElsewhere(name, value))
    .map(([name, value]) => `${name}=${shown(value)}`)
    .sort()
}

/** Whether some program loads code by a variable of this name. */
export function loadsCode(name: string): boolean {
  return isOfCode(name, "")
}

function isOfCode(name: string, runner: string): boolean {
  // An environment that a terminal has activated for Python does not matter to Node.
  if (name === "VIRTUAL_ENV" && (runner === "node" || runner === "npx")) return false
  const small = name.toLowerCase()
  return codeVariables.has(name) || (codeFamilies.some((each) => small.startsWith(each)) && !notOfCode.test(name))
}

/** Whether a variable names something that is looked for from the folder on. */
function isRelative(variable: string): boolean {
  if (isAddress(variable.slice(variable.indexOf("=") + 1))) return false
  const [, ...pieces] = variable.split(/[=,\s"']/).flatMap((piece) => piece.split(delimiter))
  return pieces.some((piece) => !/^(-.*|\d*|true|false|\$APPDIR\b.*)$/.test(piece) && !isAbsolute(piece))
}

/** Between two delimiters, nothing stands for the folder that the command is started in. */
function inPath(command: string, cwd: string, path: string | undefined): string | undefined {
  const folders = path?.split(delimiter) ?? []
  return folders.map((folder) => join(resolve(cwd, folder), basename(command))).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./…()?&$-]+$/.test(word) ? word : JSON.stringify(word)
}
