import { join } from "node:path"

/** Where Node keeps what it has compiled of Byleave: the user's own cache, never a folder that others can write to. */
export function compiledFolder(env: ReadonlyMap<string, string>, home: string, platform: string): string {
  return join(cacheOf(env, home, platform), "byleave", "compiled")
}

function cacheOf(env: ReadonlyMap<string, string>, home: string, platform: string): string {
  if (platform === "win32") return env.get("LOCALAPPDATA") || join(home, "AppData", "Local")
  if (platform === "darwin") return join(home, "Library", "Caches")
  const named = env.get("XDG_CACHE_HOME")
  return named?.startsWith("/") ? named : join(home, ".cache")
}
