/** Of all tabs one tells, and none of them shows a notification while one is looked at: a person hears of a call once. */
const telling = "byleave.telling"
const lookedAt = "byleave.looked-at"

// Only pages that are safe from eavesdroppers have locks; others have no notifications either.
const locks = "locks" in navigator ? navigator.locks : null
let isTeller = locks === null

/** Takes part until what it gives is called. */
export function joinTabs(): () => void {
  if (locks === null) return () => undefined
  const over = new AbortController()
  const hold = Promise.withResolvers<void>()
  const tell = (): Promise<void> => {
    isTeller = true
    return hold.promise
  }
  void locks.request(telling, { signal: over.signal }, tell).catch(() => undefined)
  const leave = showLooks(locks)
  return () => {
    isTeller = false
    over.abort()
    hold.resolve()
    leave()
  }
}

/** Holds a lock beside others for as long as somebody looks at this tab. */
function showLooks(locks: LockManager): () => void {
  let release: (() => void) | null = null
  const look = (): void => {
    const isLookedAt = isThisLookedAt()
    if (isLookedAt === (release !== null)) return
    release?.()
    release = null
    if (!isLookedAt) return
    const { promise, resolve } = Promise.withResolvers<void>()
    release = resolve
    void locks.request(lookedAt, { mode: "shared" }, () => promise)
  }
  look()
  const over = new AbortController()
  for (const name of ["focus", "blur"]) window.addEventListener(name, look, { signal: over.signal })
  document.addEventListener("visibilitychange", look, { signal: over.signal })
  return () => {
    over.abort()
    release?.()
  }
}

export function isThisTelling(): boolean {
  return isTeller
}

/** A page that is in view beside the window somebody works in is not looked at. */
function isThisLookedAt(): boolean {
  return document.visibilityState === "visible" && document.hasFocus()
}

export async function isAnyLookedAt(): Promise<boolean> {
  if (isThisLookedAt() || locks === null) return isThisLookedAt()
  const { held = [] } = await locks.query()
  return held.some(({ name }) => name === lookedAt)
}
