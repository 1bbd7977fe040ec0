/**
 * Tells those who listen on a connection that the list of tools has changed.
 *
 * I1. It is told when what agents may be told has changed, and not when a server merely says so.
 * I2. A server that says so without end costs one reading of its list at a time, and so many a second.
 */
import { createHash } from "node:crypto"
import type { ToolMap } from "../tools/tool-list.ts"

export type ListChanges = {
  /** An agent is told of these now. */
  readonly listed: (offered: ToolMap) => void
  /** The server says that its list has changed. */
  readonly announced: () => void
  /** The definitions that agents may be told may have changed. */
  readonly decided: () => void
}

export type ListChangesPorts = {
  /** Reads the list where that is needed. */
  readonly offered: () => Promise<ToolMap>
  readonly isHeard: () => boolean
  readonly tell: () => void
  readonly now: () => number
}

const pauseMs = 200

export function createListChanges({ offered, isHeard, tell, now }: ListChangesPorts): ListChanges {
  /** Digest of what was told last; null: nobody has listed anything yet. */
  let told: string | null = null
  let isChecking = false
  let isAsked = false
  let checkedAt = Number.NEGATIVE_INFINITY
  const differs = (tools: ToolMap): boolean => {
    const before = told
    told = digestOf(tools)
    return told !== before
  }
  const check = async (): Promise<void> => {
    isAsked = true
    if (isChecking || !isHeard()) return
    isChecking = true
    while (isAsked) {
      const wait = checkedAt + pauseMs - now()
      if (wait > 0) await pause(wait)
      checkedAt = now()
      isAsked = false
      // A list that cannot be read now may have changed: the next reader is told its state.
      if (await offered().then(differs, () => true)) tell()
    }
    isChecking = false
  }
  return {
    listed: (tools) => {
      const isFirst = told === null
      if (differs(tools) && !isFirst) tell()
    },
    announced: () => {
      if (told === null) tell()
      else void check()
    },
    decided: () => {
      if (told !== null) void check()
    },
  }
}

function digestOf(tools: ToolMap): string {
  return createHash("sha256")
    .update(JSON.stringify([...tools.values()]))
    .digest("base64")
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
