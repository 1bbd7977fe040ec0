import type { EventView } from "@byleave/api"
import { type QueryClient, QueryObserver } from "@tanstack/react-query"
import { afterEach, describe, expect, it } from "vitest"
import { createRefresher, newQueries } from "./page-queries.ts"

type Reading = { readonly answer: (value: string) => Promise<void> }

const opened: Array<() => void> = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** A part of the page that shows sessions, and each time it asks for them. */
function shown(queries: QueryClient): { readonly asked: readonly Reading[]; readonly value: () => string | undefined } {
  const asked: Reading[] = []
  const observer = new QueryObserver(queries, {
    queryKey: ["session+mode", "listSessions", null],
    queryFn: () => {
      const { promise, resolve } = Promise.withResolvers<string>()
      asked.push({
        answer: async (value) => {
          resolve(value)
          await settled()
        },
      })
      return promise
    },
  })
  opened.push(observer.subscribe(() => undefined))
  return { asked, value: () => observer.getCurrentResult().data }
}

function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

const modeSet: readonly EventView[] = [{ seq: 7, at: 1, type: "mode.set", subject: "s" }]

describe("what was asked before an event does not stand for what is so after it", () => {
  it("a first read that is under way is read once more when it ends, and shown meanwhile", async () => {
    const queries = newQueries()
    const refresher = createRefresher(queries)
    opened.push(refresher.stop)
    const { asked, value } = shown(queries)
    refresher.after(modeSet)
    refresher.after(modeSet)
    expect(asked).toHaveLength(1)
    await asked[0]?.answer("before")
    expect(value()).toBe("before")
    expect(asked).toHaveLength(2)
    await asked[1]?.answer("after")
    expect(value()).toBe("after")
    expect(asked).toHaveLength(2)
  })

  it("a later read under way is not broken off, however many events come", async () => {
    const queries = newQueries()
    const refresher = createRefresher(queries)
    opened.push(refresher.stop)
    const { asked, value } = shown(queries)
    await asked[0]?.answer("first")
    for (let each = 0; each < 5; each += 1) refresher.after(modeSet)
    expect(asked).toHaveLength(2)
    await asked[1]?.answer("second")
    expect(value()).toBe("second")
    expect(asked).toHaveLength(3)
  })

  it("a read that hangs on a line that is gone is asked anew on the next", async () => {
    const queries = newQueries()
    const refresher = createRefresher(queries)
    opened.push(refresher.stop)
    const { asked, value } = shown(queries)
    refresher.everything()
    expect(asked).toHaveLength(2)
    await asked[1]?.answer("anew")
    await asked[0]?.answer("too late")
    expect(value()).toBe("anew")
  })
})
