import { lstatSync, readdirSync, rmSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { nodeHasher } from "@byleave/core/node"
import { writePrivate } from "../files/private-file.ts"

/** For programs that take their rules from a file. The name says what it holds: a launch with other rules never changes it. */
export function launchFile(folder: string, client: string, text: string): string {
  return join(folder, `launch-${client}-${nodeHasher.sha256(text).slice(0, 32)}.toml`)
}

/** The name without the text is that of earlier versions, which all launches shared. */
const named = /^launch-[a-z]+(?:-[0-9a-f]{32})?\.toml$/

const monthMs = 30 * 24 * 60 * 60 * 1000
const alwaysKept = 32

/**
 * Writes the file, and removes those that no launch has used for a month. The last ones stay however old they are: a program may still run,
 * and read its file again when it restarts itself.
 */
export function keepLaunchFile({ path, text }: { readonly path: string; readonly text: string }, now: number): void {
  writePrivate(path, text)
  utimesSync(path, now / 1000, now / 1000)
  const folder = dirname(path)
  const files = readdirSync(folder)
    .filter((name) => named.test(name) && join(folder, name) !== path)
    .map((name) => ({ name, usedAt: lstatSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? now }))
    .toSorted((one, other) => other.usedAt - one.usedAt)
  for (const { name, usedAt } of files.slice(alwaysKept - 1)) {
    if (usedAt < now - monthMs) rmSync(join(folder, name), { force: true })
  }
}
