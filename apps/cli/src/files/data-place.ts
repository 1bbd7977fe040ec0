import { chmodSync, mkdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Io } from "../io.ts"

/** Where everything of one Byleave is kept: as written, else by the environment, else the platform's usual place. */
export function dataFolder(written: string | undefined, io: Pick<Io, "env" | "cwd" | "home" | "platform">): string {
  const chosen = written ?? io.env.get("BYLEAVE_DATA")
  if (chosen) return resolve(io.cwd, chosen)
  return join(usualPlace(io), "byleave")
}

function usualPlace({ env, home, cwd, platform }: Pick<Io, "env" | "cwd" | "home" | "platform">): string {
  const start = home ?? cwd
  if (platform === "win32") return env.get("LOCALAPPDATA") || join(start, "AppData", "Local")
  if (platform === "darwin") return join(start, "Library", "Application Support")
  const named = env.get("XDG_DATA_HOME")
  return named?.startsWith("/") ? named : join(start, ".local", "share")
}

/** Makes the folder where it is missing, and makes it its owner's alone. */
export function openDataFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
}
