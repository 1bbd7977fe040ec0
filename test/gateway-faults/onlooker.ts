import type { Approval, Store } from "@byleave/core"

/** Someone who only reads the store: what became of each call, named by its argument `n`. */
export type Onlooker = {
  /** Oldest first. */
  readonly recordsOf: (n: string) => Promise<readonly Approval[]>
  /** The first record of the call with this status, once there is one. */
  readonly sees: (n: string, status: Approval["status"], isIt?: (approval: Approval) => boolean) => Promise<Approval>
  readonly leave: () => void
}

export function lookOn(store: Pick<Store, "approval" | "subscribe">): Onlooker {
  const ids = new Map<string, string[]>()
  const known = new Set<string>()
  const wakers = new Set<() => void>()
  const note = async (id: string): Promise<void> => {
    const approval = await store.approval(id)
    if (approval !== undefined && !known.has(id)) {
      known.add(id)
      const n = String(approval.args?.n)
      ids.set(n, [...(ids.get(n) ?? []), id])
    }
    for (const wake of [...wakers]) wake()
  }
  const stop = store.subscribe((event) => {
    if (event.type.startsWith("approval.")) note(event.subject).catch(() => {})
  })
  const recordsOf = async (n: string): Promise<readonly Approval[]> => {
    const found = await Promise.all((ids.get(n) ?? []).map((id) => store.approval(id)))
    return found.filter((approval) => approval !== undefined)
  }
  return {
    recordsOf,
    sees: async (n, status, isIt = () => true) => {
      for (;;) {
        const woken = new Promise<void>((resolve) => {
          const wake = (): void => {
            wakers.delete(wake)
            resolve()
          }
          wakers.add(wake)
        })
        const found = (await recordsOf(n)).find((approval) => approval.status === status && isIt(approval))
        if (found !== undefined) return found
        await woken
      }
    },
    leave: stop,
  }
}
