/**
 * Runs by words of their titles and of what was said in them. No store has an index for either, so a page of a search does a bounded part of
 * the work, and the next page goes on from there.
 *
 * I1. One page looks at no more runs and reads no more of their journals than is set here.
 * I2. Nothing is read of a run that is not to be shown.
 * I3. Others have a turn after each run that was read.
 */
import type { RunQuery, RunSummary } from "@byleave/core"
import type { AgentRuns } from "../../agent-runs.ts"

/** Runs whose titles are looked at for one page. */
const mostTitles = 2_000
const titlesAtOnce = 500
/** Characters of journals that are read for one page, and of one run. */
export const mostRead = 4_000_000
const mostReadOfRun = 1_000_000

type RunSearchPorts = {
  readonly list: (page: Pick<RunQuery, "after" | "limit">) => Promise<readonly RunSummary[]>
  readonly mayShow: (run: RunSummary) => boolean
  /** Null: only titles can be searched. */
  readonly isSaidIn: AgentRuns["isSaidIn"] | null
  /** Resolved after all other ready work has had its turn. */
  readonly nextTurn: () => Promise<unknown>
}

type RunSearch = { readonly text: string; readonly from?: RunQuery["after"]; readonly limit: number }

export type FoundRuns = {
  readonly found: readonly RunSummary[]
  /** The run after which the next page begins; null: there is none. */
  readonly last: Pick<RunSummary, "createdAt" | "id"> | null
}

/** A page of runs; without a text, all of them. */
export async function searchRuns(ports: RunSearchPorts, { text, from, limit }: RunSearch): Promise<FoundRuns> {
  const words = text.trim().toLowerCase()
  const atOnce = words === "" ? limit : titlesAtOnce
  const found: RunSummary[] = []
  let after = from
  let read = 0
  const isWanted = async (run: RunSummary): Promise<boolean> => {
    if (!ports.mayShow(run)) return false
    if (run.title.toLowerCase().includes(words)) return true
    if (ports.isSaidIn === null) return false
    const said = await ports.isSaidIn(run.id, { words, most: mostReadOfRun })
    await ports.nextTurn()
    read += said.read
    return said.isFound
  }
  for (let looked = 0; looked < mostTitles; looked += atOnce) {
    const page = await ports.list({ ...(after === undefined ? {} : { after }), limit: atOnce })
    for (const run of page) {
      if (await isWanted(run)) found.push(run)
      if (found.length === limit || read >= mostRead) return { found, last: run }
    }
    if (page.length < atOnce) return { found, last: null }
    after = page.at(-1)
  }
  return { found, last: after ?? null }
}
