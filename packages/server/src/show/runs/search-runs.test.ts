import type { RunSummary } from "@byleave/core"
import { expect, it } from "vitest"
import { searchRuns } from "./search-runs.ts"

const runs = Array.from(
  { length: 30 },
  (_, at) => ({ id: `r${at}`, title: `Thread ${at}`, createdAt: -at }) as RunSummary,
)

/** Searches to the end; gives what each page found, and which runs were read. */
async function pages(
  text: string,
  { read, mayShow = () => true }: { read: number; mayShow?: (run: RunSummary) => boolean },
) {
  const looked: string[] = []
  let turns = 0
  const ports = {
    list: async ({ after, limit = 0 }: { after?: { id: string }; limit?: number }) => {
      const from = after === undefined ? 0 : runs.findIndex(({ id }) => id === after.id) + 1
      return runs.slice(from, from + limit)
    },
    mayShow,
    isSaidIn: async (id: string) => {
      looked.push(id)
      return { isFound: id === "r25", read }
    },
    nextTurn: async () => {
      turns += 1
    },
  }
  const found: string[][] = []
  let from: RunSummary | undefined
  for (;;) {
    const page = await searchRuns(ports as never, { text, limit: 50, ...(from === undefined ? {} : { from }) })
    found.push(page.found.map(({ id }) => id))
    if (page.last === null) return { found, looked, turns }
    from = page.last as RunSummary
  }
}

it("finds runs by their titles without reading them, and by what was said", async () => {
  const { found, looked } = await pages("THREAD 7", { read: 10 })
  expect(found).toEqual([["r7", "r25"]])
  expect(looked).not.toContain("r7")
})

it("I1: a page ends where it has read enough, and the next goes on", async () => {
  const { found, looked } = await pages("needle", { read: 1_000_000 })
  expect(found).toEqual([[], [], [], [], [], [], ["r25"], []])
  expect(looked).toEqual(runs.map(({ id }) => id))
})

it("I2: reads nothing of a run that is not to be shown", async () => {
  const { found, looked } = await pages("needle", { read: 10, mayShow: ({ id }) => id !== "r25" })
  expect(found).toEqual([[]])
  expect(looked).not.toContain("r25")
})

it("I3: others have a turn after each run that was read", async () => {
  const { looked, turns } = await pages("needle", { read: 10 })
  expect(turns).toBe(looked.length)
})
