/**
 * An absolute path without `.` and `..`, from a written one and the folder it was written in.
 * A leading `~` is the home folder when that is known; undefined when it is not.
 */
export function resolvePath(written: string, folder: string, home: string | undefined): string | undefined {
  if (/^~(?:[/\\]|$)/.test(written)) return home === undefined ? undefined : normalise(`${home}/${written.slice(2)}`)
  return normalise(written.startsWith("/") || windowsRoot.test(written) ? written : `${folder}/${written}`)
}

const windowsRoot = /^(?:[A-Za-z]:(?=[/\\])|\\\\[^/\\]+\\[^/\\]+)/

function normalise(path: string): string {
  const root = windowsRoot.exec(path)?.[0]
  const separator = root === undefined ? "/" : "\\"
  const kept: string[] = []
  for (const part of path.slice(root?.length ?? 0).split(root === undefined ? "/" : /[/\\]/)) {
    if (part === "" || part === ".") continue
    if (part === "..") kept.pop()
    else kept.push(part)
  }
  return `${root ?? ""}${separator}${kept.join(separator)}`
}
