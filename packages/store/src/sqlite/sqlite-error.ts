import { StoreError, type StoreErrorCode } from "@byleave/core"

/** SQLite's own result codes, as far as they mean something to us. */
const results = { busy: 5, locked: 6, readOnly: 8, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const
/** The file was moved or removed while it was open. */
const movedAway = results.readOnly | (4 << 8)

const sentences = {
  full: "The disk (or the size limit of the store) is full. Free some space; nothing was recorded.",
  "read-only": "The store cannot be written to. Check the permissions of its file and folder.",
  corrupt: "The store is damaged. Keep the file, and restore a copy made before.",
  gone: "The store's file was moved or removed while it was in use. Put it back or start again.",
  busy: "Another process kept the store busy for too long. Try again.",
  unavailable: "The store cannot be used now.",
} as const

export function isBusy(error: unknown): boolean {
  const code = resultOf(error)
  return code !== undefined && ((code & 0xff) === results.busy || (code & 0xff) === results.locked)
}

/** Whether the store as a whole is in trouble, as opposed to one change that cannot be written. */
export function isOutage(error: unknown): boolean {
  if (error instanceof StoreError) return true
  const code = resultOf(error)
  return code !== undefined && ![18, 19, 20, 25].includes(code & 0xff)
}

/** The store error for an outage; any other error is a defect and is returned unchanged. */
export function asStoreError(error: unknown): unknown {
  if (error instanceof StoreError || !isOutage(error)) return error
  return storeError(codeOf(resultOf(error) ?? 0), error)
}

export function storeError(code: keyof typeof sentences, cause?: unknown): StoreError {
  const detail = cause instanceof Error ? ` (${cause.message})` : ""
  return new StoreError(code, `${sentences[code]}${detail}`, { cause })
}

function codeOf(result: number): keyof typeof sentences & StoreErrorCode {
  if (result === movedAway) return "gone"
  switch (result & 0xff) {
    case results.busy:
    case results.locked:
      return "busy"
    case results.readOnly:
      return "read-only"
    case results.corrupt:
    case results.notADatabase:
      return "corrupt"
    case results.full:
      return "full"
    default:
      return "unavailable"
  }
}

function resultOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined
  return typeof error.errcode === "number" ? error.errcode : undefined
}
