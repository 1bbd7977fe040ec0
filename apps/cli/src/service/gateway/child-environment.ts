/** The variables that a program needs to be found and to find its files; nothing here is a secret. */
const basics = ["PATH", "HOME", "LANG", "LC_ALL", "TERM", "USER", "LOGNAME", "SHELL", "TMPDIR"]
const windowsBasics = [
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"],
  ...["SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
]

/** A server's whole environment: the basics, so that `npx` and the like work, and what its configuration gives it. Nothing else of ours. */
export function childEnvironment(
  given: ReadonlyMap<string, string>,
  ours: ReadonlyMap<string, string>,
  platform: string,
): ReadonlyMap<string, string> {
  const isWindows = platform === "win32"
  const wanted = new Set(isWindows ? [...basics, ...windowsBasics] : basics)
  // Windows writes Path or PATH, as it likes.
  const isBasic = (name: string) => wanted.has(isWindows ? name.toUpperCase() : name)
  return new Map([...[...ours].filter(([name]) => isBasic(name)), ...given])
}
