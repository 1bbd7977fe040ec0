/**
 * Which program a wrapped server is, in words people can compare: another program under the same name is another server, and waits to be
 * accepted. Where it is in doubt whether two are the same, they are not.
 *
 * By default all of it counts: the command, its arguments, the folder it is started in, variables by which programs load code
 * (code-variables.ts), any other that names a place (place-variables.ts), those that lead to other settings than the user's own
 * (home-variables.ts), and PATH where it chooses what is run (path-words.ts). The parts that may be left out are in chosen-program.ts.
 */
import { createHmac } from "node:crypto"
import { delimiter, isAbsolute } from "node:path"
import { unambiguousJson } from "@byleave/core"
import { type IsMount, isMountPoint, shownMount } from "./app-image-mount.ts"
import { chosenBy, isRunner, plainRunner } from "./chosen-program.ts"
import { choosesCode, isUnknown } from "./code-variables.ts"
import { findProgram } from "./find-program.ts"
import { leadsElsewhere } from "./home-variables.ts"
import { findsByPath } from "./path-words.ts"
import { isOfFolder, namesPlace, placeWord } from "./place-variables.ts"
import { isAddress, type ProgramWord, programWords } from "./program-words.ts"

export type Started = {
  readonly command: string
  /** What is started for it, by `findProgram`; null: nothing is. */
  readonly file: string | null
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: ReadonlyMap<string, string>
}

const longest = 4_000
/** However much is set, the command behind it is shown. */
const longestVariables = 2_000

/** `key`: of this installation, so that what is not shown cannot be guessed from its digest. */
export function serverProgram(started: Started, key: string, isMount: IsMount = isMountPoint): string {
  const { words, folder, isByPath } = programOf(started)
  const variables = codeVariablesOf(started, isByPath, isMount)
  const where = folder ?? (variables.some(({ isRelative }) => isRelative) ? started.cwd : null)
  const set = variables.map(({ word }) => word)
  const setText = textOf(set)
  const isCut = setText.length > longestVariables
  const head = isCut ? `${setText.slice(0, longestVariables)}…` : setText
  const behind = [textOf(words), ...(where === null ? [] : [`(in ${quoted({ shown: where })})`])].join(" ")
  const text = head === "" ? behind : `${head} ${behind}`
  const unseen = [...(isCut ? [{ hidden: setText }] : []), ...set, ...words].flatMap(({ hidden }) => hidden ?? [])
  if (text.length <= longest && unseen.length === 0) return text
  const digest = createHmac("sha256", key)
    .update(JSON.stringify([text, ...unseen]))
    .digest("hex")
  return `${text.slice(0, longest)} (with what is not shown: ${digest.slice(0, 16)})`
}

function textOf(words: readonly ProgramWord[]): string {
  return words.map(quoted).join(" ")
}

type Program = {
  readonly words: readonly ProgramWord[]
  readonly folder: string | null
  /** PATH chooses what it runs. */
  readonly isByPath: boolean
}

function programOf(started: Started): Program {
  const { command, args, cwd } = started
  const name = plainRunner(command)
  const [first = "", inner] = args
  const own = commandOf(started, name)
  // Clients on Windows start everything so.
  if (isWindowsShell(own) && first.toLowerCase() === "/c" && inner !== undefined) {
    const behind = programOf({
      ...{ cwd, env: started.env, command: inner, args: args.slice(2) },
      file: findProgram(inner, started.env, cwd),
    })
    const words = [{ shown: own }, { shown: first }, ...behind.words]
    return { words, folder: behind.folder, isByPath: behind.isByPath || !isRunner(plainRunner(inner)) }
  }
  const chosen = chosenBy(name, isAbsolute(own) ? own : null, args, cwd)
  return {
    words: [{ shown: own }, ...programWords(chosen.args, chosen.folder)],
    folder: chosen.isOfFolder ? chosen.folder : null,
    isByPath: findsByPath({ command, own, args, chosen, cwd, env: started.env }),
  }
}

/** A runner that is found by its name is the same wherever it is installed; any other command is the file it is. */
function commandOf({ command, file }: Started, name: string): string {
  return file === null || (isRunner(name) && !/[/\\]/.test(command)) ? command : file
}

/** A file of that name, in the folder or in a folder of PATH, is a program like any other. */
function isWindowsShell(own: string): boolean {
  return /^([a-z]:\\windows\\system32\\)?cmd(\.exe)?$/i.test(own)
}

/** `isRelative`: it names something that is looked for from the folder on. */
type Variable = { readonly word: ProgramWord; readonly isRelative: boolean }

function codeVariablesOf(started: Started, isByPath: boolean, isMount: IsMount): readonly Variable[] {
  const { command, args, cwd, env } = started
  const shown = shownMount(env.get("APPDIR") ?? "", isMount)
  const runner = plainRunner(command)
  const named = isByPath ? namedIn(args) : new Set()
  // What PATH chooses may be one of them as well.
  const mayPutBack = (tool: RegExp): boolean => isByPath || [command, ...args].some((word) => tool.test(word))
  const isPutBack = (name: string): boolean => putBack.some(({ by, keeps }) => keeps.test(name) && mayPutBack(by))
  const counts = (name: string, value: string): boolean =>
    choosesCode(name, value, runner) ||
    leadsElsewhere(name, value) ||
    named.has(name) ||
    (isByPath && pathName.test(name))
  const variableOf = ([name, value]: readonly [string, string]): readonly Variable[] => {
    const text = `${name}=${shown(value)}`
    if (isPutBack(name)) {
      return [{ word: { shown: `${name}=…`, isCut: true, hidden: value }, isRelative: false }]
    }
    if (counts(name, value))
      return programWords([text], cwd).map((word) => ({ word, isRelative: hasRelativeValue(text) }))
    if (!isUnknown(name, runner) || !namesPlace(name, value, cwd)) return []
    return [{ word: placeWord(name, shown(value), cwd), isRelative: isOfFolder(shown(value), cwd) }]
  }
  return [...env].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(variableOf)
}

const pathName = /^path(?:ext)?$/i
/** Where these keep the variables, PATH among them, that they put back before they start something. They may be secrets. */
const putBack = [
  { by: /\bdirenv\b/, keeps: /^direnv_diff$/i },
  { by: /\bmise\b/, keeps: /^__mise_(?:diff|orig_path)$/i },
]

/** The variables that the text of a shell names. Where the home leads is told without it. */
function namedIn(args: readonly string[]): ReadonlySet<string | undefined> {
  const matches = args.flatMap((arg) => [...arg.matchAll(/\$\{?(\w+)|%(\w+)%/g)])
  return new Set(matches.map(([, unix, windows]) => unix ?? windows).filter((name) => name !== "HOME"))
}

/** Whether a variable names something that is looked for from the folder on. */
function hasRelativeValue(variable: string): boolean {
  const value = variable.slice(variable.indexOf("=") + 1)
  if (isAddress(value)) return false
  // Between two delimiters, nothing stands for the folder.
  if (/^path=/i.test(variable))
    return value.split(delimiter).some((each) => !/^\$APPDIR\b/.test(each) && !isAbsolute(each))
  const [, ...pieces] = variable.split(/[=,\s"']/).flatMap((piece) => piece.split(delimiter))
  return pieces.some((piece) => !/^(-.*|\d*|true|false|\$APPDIR\b.*)$/.test(piece) && !isAbsolute(piece))
}

/** Quotes words that look like a mark of ours, such as those for what is left out or for the folder, and are none. */
function quoted({ shown, isCut = false }: ProgramWord): string {
  const isPlain = /^(?!\()[\w@%+=:,./…()?&$-]+$/.test(shown) && (isCut || !shown.includes("…"))
  return isPlain ? shown : unambiguousJson(shown)
}
