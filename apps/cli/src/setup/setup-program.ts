import { accessSync, constants, existsSync, realpathSync } from "node:fs"
import { delimiter, dirname, isAbsolute, join } from "node:path"
import { dataFolder } from "../files/data-place.ts"
import type { Io } from "../io.ts"
import { program } from "../program.ts"
import { searchPath } from "../wrap/find-program.ts"
import type { PlanOptions } from "./plan-setup.ts"

/** Where this Byleave's command is in its own folder. */
const ownCommand = join(dirname(program), "..", "..", "..", "bin", "byleave")

/** Whether a word of a client's file starts this Byleave, by its name or by a whole path that leads to it. */
export function isOwnProgram(word: string, io: Pick<Io, "env" | "platform">): boolean {
  if (word === "byleave" || (io.platform === "win32" && word === "byleave.cmd")) return true
  if (!isAbsolute(word)) return false
  const own = [ownCommand, program, onPath(io)].flatMap((path) => (path === null ? [] : [realPath(path)]))
  return own.includes(realPath(word))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/**
 * How a client's file names this Byleave: by its name where terminals find it so. Desktops may not know their PATH, and on Windows a client may look in the
 * folder it works in first, so that people's own files have the whole path there.
 */
export function setupProgram(io: Pick<Io, "env" | "platform">): PlanOptions["program"] {
  const found = onPath(io)
  const whole = found ?? (existsSync(ownCommand) ? ownCommand : program)
  return ({ client, file }) => {
    const isOwnOnWindows = io.platform === "win32" && file.root !== "project"
    return found === null || client.isDesktop === true || isOwnOnWindows ? whole : "byleave"
  }
}

function onPath({ env, platform }: Pick<Io, "env" | "platform">): string | null {
  const name = platform === "win32" ? "byleave.cmd" : "byleave"
  const folders = searchPath(env, platform)
    .split(delimiter)
    .filter((folder) => folder !== "")
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** `--data FOLDER`, where the folder is not the usual one: not every client passes BYLEAVE_DATA on. */
export function dataWords(data: string, io: Pick<Io, "env" | "cwd" | "home" | "platform">): readonly string[] {
  const env = new Map([...io.env].filter(([name]) => name !== "BYLEAVE_DATA"))
  return data === dataFolder(undefined, { ...io, env }) ? [] : ["--data", data]
}
