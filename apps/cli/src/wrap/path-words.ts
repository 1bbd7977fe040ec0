/**
 * Whether PATH chooses what a command runs. It does unless it is known not to: anything may start another program, and find it by PATH.
 *
 * I1. A file that is a text is run by what its first line names, or by a shell.
 * I2. Of a form that is understood (chosen-program.ts), no argument is looked for by PATH.
 * I3. Of other programs that run a file or a package and nothing else, PATH chooses where it finds a program by one of their words, or where a word is
 *     code or names a script of the folder.
 * I4. Of all others, PATH chooses.
 */
import { closeSync, openSync, readSync } from "node:fs"
import { isAbsolute } from "node:path"
import { type ChosenBy, isRunner, isServerName, plainRunner } from "./chosen-program.ts"
import { findProgram } from "./find-program.ts"

const shells = ["sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "fish", "csh", "tcsh", "busybox", "nu", "pwsh"]
const shellNames = new Set([...shells, "powershell", "cmd"])

/** They run a file, a package or a container, with arguments. */
const interpreters = new Set(["java", "ruby", "php", "perl", "lua"])
/** They run what a file of the folder calls by a name. */
const scriptRunners = new Set(["npm", "pnpm", "yarn", "bun", "deno"])
/** Unless they are told to run a package or a file. */
const packageWords = /^(?:exec|x|dlx)$/
/** Code in the same word (`-cimport x`), and `node --run`, whose script a shell runs. */
const codeSwitch = /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|print|cal{0,2}|run)(?:=|$))/
/** Code wherever a module is named. */
const codeAddress = /(?:^|=)data:/i
/** Their switches of those names are others. */
const takesNoCode = /^(?:java|docker|podman)$/
/** By many of their switches. */
const takesCodeAnyhow = /^(?:perl|php|ruby|lua)$/

export type PathUse = {
  readonly command: string
  /** The command's file, or its name where no file was found. */
  readonly own: string
  readonly args: readonly string[]
  readonly chosen: Pick<ChosenBy, "isUnderstood">
  readonly cwd: string
  readonly env: ReadonlyMap<string, string>
}

export function findsByPath({ command, own, args, chosen, cwd, env }: PathUse): boolean {
  const name = plainRunner(command)
  // The usual form of a runner on Windows.
  const isRunnersShim = isRunner(name) && (!isAbsolute(own) || /\.cmd$/i.test(own))
  if (!isRunnersShim) {
    if (shellNames.has(name) || /\.(?:sh|bat|cmd|ps1)$/i.test(own)) return true
    if (isAbsolute(own) && isShellScript(own)) return true
  }
  const isThere = isAbsolute(own) || isRunner(name)
  if (chosen.isUnderstood || !isThere) return false
  const runsOneThing = isRunner(name) || interpreters.has(name) || isServerName(name)
  if (!runsOneThing || runsScript(name, args)) return true
  return takesCode(name, args) || args.some((arg) => namesProgram(arg, cwd, env))
}

/** `npm start`, `yarn serve`, `bun run x`, `deno task x`. */
function runsScript(name: string, args: readonly string[]): boolean {
  if (!scriptRunners.has(name)) return false
  const [first = "", second = ""] = args.filter((arg) => !arg.startsWith("-"))
  if (name === "deno") return first === "task" || first === "eval"
  // Theirs takes a line for a shell.
  if (first === "exec" && (name === "yarn" || name === "bun")) return true
  return !(packageWords.test(first) || (name === "bun" && isFile(first === "run" ? second : first)))
}

function isFile(word: string): boolean {
  return isAbsolute(word) || /^\.{0,2}[/\\]|\.[cm]?[jt]sx?$/.test(word)
}

/** Whether a switch of the program itself, or of a runner behind it, is followed by code: not one behind the file that is run. */
function takesCode(name: string, args: readonly string[]): boolean {
  let mayTake = !isServerName(name) && !takesNoCode.test(name)
  return args.some((arg, at) => {
    if (codeAddress.test(arg)) return true
    if (arg.startsWith("-")) return mayTake && (takesCodeAnyhow.test(name) || codeSwitch.test(arg))
    const isValue = args[at - 1]?.startsWith("-") === true
    mayTake = isRunner(plainRunner(arg)) || (mayTake && isValue)
    return false
  })
}

/** Whether PATH finds a program by a word of an argument, whatever stands around it. Runners are the same wherever they are. */
function namesProgram(arg: string, cwd: string, env: ReadonlyMap<string, string>): boolean {
  return wordsIn(arg).some((word) => !isRunner(plainRunner(word)) && findProgram(word, env, cwd) !== null)
}

/** Names that a program may read in an argument: the whole, the parts between blanks and quotes or between any signs, and the part behind a short switch. */
function wordsIn(arg: string): readonly string[] {
  const pieces = [arg, ...arg.split(/[\s=,;:|&()'"`<>$]+/), ...arg.split(signs)]
  const words = pieces.flatMap((piece) => [piece, piece.replace(shortSwitch, "")])
  return [...new Set(words)].filter((word) => word !== "" && !/[/\\]/.test(word))
}

/** But Java's own. */
const shortSwitch = /^(?:-(?!jar$)[a-z]|[+~.])/i
/** On Windows a backslash is part of a path. */
const signs = process.platform === "win32" ? /[^\p{L}\p{M}\p{N}_.+~/\\-]+/u : /[^\p{L}\p{M}\p{N}_.+~/-]+/u

/** Files that Node or Python run are found as they are; other texts are taken for a shell's. */
function isShellScript(file: string): boolean {
  const start = startOf(file)
  if (start === "" || start.includes("\0")) return false
  const [first = "", ...rest] = /^#!\s*(.*)/.exec(start)?.[1]?.trim().split(/\s+/) ?? []
  const isEnv = plainRunner(first) === "env"
  const interpreter = isEnv ? rest.find((word) => !word.startsWith("-") && !word.includes("=")) : first
  return !isRunner(plainRunner(interpreter ?? ""))
}

function startOf(file: string): string {
  try {
    const opened = openSync(file, "r")
    try {
      const bytes = Buffer.alloc(512)
      return bytes.toString("latin1", 0, readSync(opened, bytes, 0, bytes.length, 0))
    } finally {
      closeSync(opened)
    }
  } catch {
    return ""
  }
}
