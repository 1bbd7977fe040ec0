import type { Approval, Store } from "@byleave/core"

/** Someone who only reads the store: what became of each call, named by its argument `n`. */
export type Onlooker = {
  /** Oldest first. */
  readonly recordsOf: (n: string) => Promise<readonly Approval[]>
  /** The first record of the call with this status, once there is one. */
  readonly sees: (n: string, status: Approval["status"], isIt?: (approval: Approval) => boolean) => Promise<Approval>
  readonly leave: () => void
}

/** Nothing happened to any call for this long: what is waited for does not come. */
const silenceMs = 45_000

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
  const nextNews = (): Promise<"news" | "silence"> =>
    new Promise((resolve) => {
      const end = (how: "news" | "silence"): void => {
        clearTimeout(timer)
        wakers.delete(wake)
        resolve(how)
      }
      const wake = (): void => end("news")
      const timer = setTimeout(() => end("silence"), silenceMs)
      wakers.add(wake)
    })
  const recordsOf = async (n: string): Promise<readonly Approval[]> => {
    const found = await Promise.all((ids.get(n) ?? []).map((id) => store.approval(id)))
    return found.filter((approval) => approval !== undefined)
  }
  return {
    recordsOf,
    sees: async (n, status, isIt = () => true) => {
      for (;;) {
        const woken = nextNews()
        const records = await recordsOf(n)
        const found = records.find((approval) => approval.status === status && isIt(approval))
        if (found !== undefined) return found
        if ((await woken) === "silence") throw new Error(`${n} is not ${status}: ${JSON.stringify(records)}`)
      }
    },
    leave: stop,
  }
}
