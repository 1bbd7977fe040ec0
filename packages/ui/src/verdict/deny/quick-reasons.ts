/** Reasons for a no that one press writes into the field: three that are always there, and the last ones given in this browser. */
const always = [
  "Not needed for this task.",
  "Ask me first what you are trying to do.",
  "Use a file in the project instead.",
]

const key = "byleave.reasons"
const mostOwn = 3
const longestOwn = 200

export type ReasonStore = Pick<Storage, "getItem" | "setItem">

export function quickReasons(store: ReasonStore): readonly string[] {
  return [...always, ...ownReasons(store)]
}

/** Keeps a reason that was given, the newest first. What is long was meant for one call. */
export function keepReason(store: ReasonStore, given: string): void {
  const reason = given.trim()
  if (reason === "" || reason.length > longestOwn || always.includes(reason)) return
  const kept = [reason, ...ownReasons(store).filter((own) => own !== reason)].slice(0, mostOwn)
  try {
    store.setItem(key, JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing offers the fixed ones.
  }
}

function ownReasons(store: ReasonStore): readonly string[] {
  try {
    const read: unknown = JSON.parse(store.getItem(key) ?? "[]")
    return Array.isArray(read) ? read.filter((own) => typeof own === "string").slice(0, mostOwn) : []
  } catch {
    return []
  }
}
