import { statSync } from "node:fs"
import { storeError } from "./sqlite-error.ts"

const recheckMs = 100

/** Notices that the file we write to is no longer the one at its path: what we wrote would vanish with it. */
export type FileWatch = {
  readonly mustBeThere: () => void
  /** The same, without looking more than ten times a second. */
  readonly mustHaveBeenThere: () => void
}

export function watchFile(path: string): FileWatch {
  const opened = identityOf(path)
  let lookedAt = performance.now()
  let isThere = true
  const mustBeThere = (): void => {
    lookedAt = performance.now()
    isThere = identityOf(path) === opened
    if (!isThere) throw storeError("gone")
  }
  return {
    mustBeThere,
    mustHaveBeenThere: () => {
      if (!isThere || performance.now() - lookedAt >= recheckMs) mustBeThere()
    },
  }
}

function identityOf(path: string): string | null {
  try {
    const found = statSync(path)
    return `${found.dev} ${found.ino}`
  } catch {
    return null
  }
}
