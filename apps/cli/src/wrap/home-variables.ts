/**
 * Variables that say where a person's own settings are, from which programs load code or choose where it comes from: `.npmrc` names the
 * registry, `usercustomize.py` is run by Python. Where they say what they say for this user everywhere, they choose nothing.
 *
 * I1. One that leads elsewhere than the user's own folders, by the system's own account of the user, counts.
 */
import { userInfo } from "node:os"
import { isAbsolute, join, relative } from "node:path"

/** The user's home by the system, whatever HOME says; null where it knows none. */
export function ownHome(): string | null {
  try {
    return userInfo().homedir || null
  } catch {
    return null
  }
}

/** Where each leads for everyone who sets nothing. */
const usual: ReadonlyMap<string, readonly string[]> = new Map([
  ["HOME", []],
  ["USERPROFILE", []],
  ["XDG_CONFIG_HOME", [".config"]],
  ["XDG_DATA_HOME", [".local", "share"]],
  ["XDG_CACHE_HOME", [".cache"]],
  ["XDG_STATE_HOME", [".local", "state"]],
  ["APPDATA", ["AppData", "Roaming"]],
  ["LOCALAPPDATA", ["AppData", "Local"]],
])

/** Desktops add to it; what only the system's owner writes is the same for all. */
const ofSystem = ["/etc/xdg", "/usr/local/etc/xdg", "/usr/share", "/usr/local/share"]

/** Whether `leadsElsewhere` judges it. */
export function isHomeVariable(name: string): boolean {
  return usual.has(name.toUpperCase()) || name.toUpperCase() === "XDG_CONFIG_DIRS"
}

export function leadsElsewhere(name: string, value: string, home = ownHome()): boolean {
  const key = name.toUpperCase()
  if (key === "XDG_CONFIG_DIRS") return value.split(":").some((each) => each !== "" && !isOfSystem(each))
  const below = usual.get(key)
  if (below === undefined) return false
  // Without a value, the ones of XDG are as if they were not set; a home is then none.
  if (value === "" && key.startsWith("XDG_")) return false
  return home === null || !isAbsolute(value) || relative(join(home, ...below), value) !== ""
}

function isOfSystem(folder: string): boolean {
  return ofSystem.some((each) => folder === each || (folder.startsWith(`${each}/`) && !folder.includes("..")))
}
