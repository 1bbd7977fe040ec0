import { type FSWatcher, watch } from "node:fs"
import { basename, dirname } from "node:path"

export type ConfigWatch = { readonly stop: () => void }

/** Editors replace a file in several steps; this long after the last of them it is read. */
const settleMs = 50
/** Where the system tells of no changes, as on some network disks, the file is looked at this often. */
const pollMs = 1_000

/** Calls `look` when the file may have changed; whether it did is for `look` to find out. */
export function watchConfig(path: string, look: () => void): ConfigWatch {
  let settling: NodeJS.Timeout | null = null
  const soon = (): void => {
    if (settling !== null) clearTimeout(settling)
    settling = setTimeout(look, settleMs).unref()
  }
  const watcher = watchFolder(path, soon)
  const poll = setInterval(look, pollMs).unref()
  return {
    stop: () => {
      watcher?.close()
      clearInterval(poll)
      if (settling !== null) clearTimeout(settling)
    },
  }
}

/** The folder, not the file: an editor that writes a new file and renames it leaves a watched file behind. */
function watchFolder(path: string, onChange: () => void): FSWatcher | null {
  const name = basename(path)
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, changed) => {
      if (changed === null || changed === name) onChange()
    })
    return watcher.on("error", () => watcher.close())
  } catch {
    // The poll finds changes, too; a little later.
    return null
  }
}
