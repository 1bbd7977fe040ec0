import { rmSync } from "node:fs"
import { join } from "node:path"
import { readIfThere, writePrivate } from "../files/private-file.ts"

/** The address that the service of a data folder has written down. It may be out of date: a challenge tells. */
export type ServiceFile = {
  readonly version: 1
  readonly url: string
  readonly pid: number
  readonly started: number
  /** The configuration it was started with. */
  readonly config?: string
  /** Whether a wrap started it: then any wrap starts it again when it dies. It is gone from here once somebody stops the service. */
  readonly background?: boolean
}

const pathOf = (folder: string) => join(folder, "service.json")

export function writeServiceFile(folder: string, file: ServiceFile): void {
  writePrivate(pathOf(folder), `${JSON.stringify(file)}\n`)
}

/** Undefined when there is none, or none that this version can read. */
export function readServiceFile(folder: string): ServiceFile | undefined {
  const text = readIfThere(pathOf(folder))
  if (text === undefined) return undefined
  try {
    const read: unknown = JSON.parse(text)
    return isServiceFile(read) ? read : undefined
  } catch {
    // Half a file: the service cannot be reached by it.
    return undefined
  }
}

function isServiceFile(value: unknown): value is ServiceFile {
  if (typeof value !== "object" || value === null) return false
  const { version, url, pid, started } = value as { readonly [key: string]: unknown }
  return version === 1 && typeof url === "string" && typeof pid === "number" && typeof started === "number"
}

/** Removes what this process wrote, and nothing that a later service did. */
export function removeServiceFile(folder: string, pid: number): void {
  if (readServiceFile(folder)?.pid === pid) rmSync(pathOf(folder), { force: true })
}
