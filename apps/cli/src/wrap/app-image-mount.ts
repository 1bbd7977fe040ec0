/**
 * The place where an AppImage is mounted, which is another one each time that it is started. A client that is one passes it on in APPDIR.
 *
 * I1. Only a place that the system has mounted is left out: a folder with such a name may hold anything.
 */
import { lstatSync, statSync } from "node:fs"
import { dirname } from "node:path"

export type IsMount = (folder: string) => boolean

/** Gives values of variables as they are the same for each start of the AppImage. */
export function shownMount(mounted: string, isMount: IsMount): (value: string) => string {
  const isAppImage = /^\/[^:]*\/\.mount_[^/:]+$/.test(mounted) && isMount(mounted)
  const isWithin = (piece: string): boolean => piece === mounted || piece.startsWith(`${mounted}/`)
  return (value) => {
    const pieces = value.replaceAll("$APPDIR", "\\$APPDIR").split(/([:=,\s])/)
    // From the mounted place, `..` leads out of it.
    if (!isAppImage || value.includes("..")) return pieces.join("")
    return pieces.map((piece) => (isWithin(piece) ? `$APPDIR${piece.slice(mounted.length)}` : piece)).join("")
  }
}

/** Whether another file system begins at this folder. */
export function isMountPoint(folder: string): boolean {
  try {
    const here = lstatSync(folder)
    return here.isDirectory() && here.dev !== statSync(dirname(folder)).dev
  } catch {
    return false
  }
}
