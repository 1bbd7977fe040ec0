/**
 * The file that a command means.
 *
 * I1. It is looked for once: the file that is found is the program that people accept, and the one that is started, each time.
 * I2. It is never looked for in a folder that nobody named: an empty part of PATH is none.
 */
import { accessSync, constants, statSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"

/** Null: no such file is found, and none is to be started. */
export function findProgram(command: string, env: ReadonlyMap<string, string>, cwd: string): string | null {
  if (/[/\\]/.test(command)) return resolve(cwd, command)
  const folders = searchPath(env)
    .split(delimiter)
    .filter((folder) => folder !== "")
  const names = process.platform === "win32" ? [`${command}.exe`, `${command}.cmd`, command] : [command]
  return folders.flatMap((folder) => names.map((name) => join(resolve(cwd, folder), name))).find(isProgram) ?? null
}

/** PATH. Windows takes any case of its name, and usually writes `Path`. */
export function searchPath(env: ReadonlyMap<string, string>, platform: string = process.platform): string {
  if (platform !== "win32") return env.get("PATH") ?? ""
  return [...env].find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? ""
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
