import type { Change, JournalLine, Store } from "@byleave/core"
import { utf8Length } from "@byleave/core"
import { expect, it } from "vitest"
import type { WithStore } from "./contract-kit.ts"
import {
  agentRun,
  begin,
  change,
  commitAll,
  endedRun,
  line,
  lines,
  moveRun,
  pausedRun,
  runningAgain,
  start,
} from "./samples.ts"

/** Lines that are written once, by the owner of the run, and read page by page. */
export function journalContract(withStore: WithStore): void {
  it(
    "keeps lines by number, and has them after a restart",
    withStore(async ({ store, second, reopen }) => {
      const odd = [
        line("a", 1, { name: '\0 \ud800 "\\', text: JSON.stringify('\0 \ud800 "\\ ü 🙂') }),
        line("a", 2, { name: "n".repeat(20_000), text: "9007199254740993.10" }),
        line("a", 7, { at: start + 5 }),
      ]
      const [first, last, late] = [odd.slice(0, 1), odd.slice(2), odd.slice(1, 2)]
      await commitAll(store, begin(agentRun("a"), lines("a", "p1", ...first)), begin(agentRun("b")))
      await commitAll(store, change(lines("a", "p1", ...last)), change(lines("a", "p1", ...late)))
      await commitAll(await second(), change(lines("b", "p1", line("b", 1))), change(lines("a", "p1")))
      const again = await reopen()
      expect(await all(again, "a")).toEqual(odd)
      expect(await Promise.all(["a", "b", "nobody"].map(again.lastLine))).toEqual([7, 1, 0])
      expect(await all(again, "b")).toEqual([line("b", 1)])
      expect(await all(again, "nobody")).toEqual([])
    }),
  )

  it(
    "is written by the owner of the run and nobody else",
    withStore(async ({ store, second }) => {
      const other = await second()
      const write = (owner: string, seq: number) => change(lines("a", owner, line("a", seq)))
      expect(await store.commit(write("p1", 1))).toEqual(moved("a"))
      await commitAll(store, begin(agentRun("a")), write("p1", 1))
      expect(await other.commit(write("p2", 2))).toEqual(moved("a"))
      expect(await other.commit(change(lines("a", "p2")))).toEqual(moved("a"))
      await commitAll(other, moveRun(runningAgain(agentRun("a"), { owner: "p2" })))
      expect(await store.commit(write("p1", 2))).toEqual(moved("a"))
      await commitAll(other, write("p2", 2))
      let run = pausedRun({ ...agentRun("a"), version: 2 })
      await commitAll(other, moveRun(run))
      for (const owner of ["p1", "p2", ""]) expect(await other.commit(write(owner, 3))).toEqual(moved("a"))
      for (const status of ["finished", "failed", "cancelled"] as const) {
        const going = runningAgain(run, { owner: "p2" })
        await commitAll(other, moveRun(going), moveRun(endedRun(going, status, start)))
        expect(await other.commit(write("p2", 3))).toEqual(moved("a"))
        run = pausedRun({ ...going, version: going.version })
      }
      expect((await all(store, "a")).map(({ seq }) => seq)).toEqual([1, 2])
    }),
  )

  it(
    "takes lines of the owner before with what moves the run on, and of the owner that a change gives it to",
    withStore(async ({ store }) => {
      const begun = agentRun("a")
      const paused = pausedRun(begun)
      const resumed = runningAgain(paused, { owner: "p2" })
      const taken = runningAgain(resumed, { owner: "p3" })
      await commitAll(
        store,
        begin(begun, lines("a", "p1", line("a", 1))),
        moveRun(paused, lines("a", "p1", line("a", 2))),
        moveRun(resumed, lines("a", "p2", line("a", 3))),
        moveRun(taken, lines("a", "p3", line("a", 4))),
        moveRun(endedRun(taken, "finished", start), lines("a", "p3", line("a", 5))),
      )
      const late = runningAgain(taken, { owner: "p2" })
      expect(await store.commit(moveRun(late, lines("a", "p2", line("a", 6))))).toEqual(moved("a"))
      expect(await store.commit(begin(agentRun("b"), lines("b", "p2", line("b", 1))))).toEqual(moved("b"))
      expect(await store.commit(begin(agentRun("b"), lines("a", "p1", line("a", 6))))).toEqual(moved("a"))
      expect(await store.run("b")).toBeUndefined()
      expect((await all(store, "a")).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
    }),
  )

  it(
    "has a name and a number once; whoever comes second learns the name",
    withStore(async ({ store, second }) => {
      const other = await second()
      const long = "n".repeat(20_000)
      await commitAll(store, begin(agentRun("a"), lines("a", "p1", line("a", 1, { name: "x" }), line("a", 2))))
      await commitAll(store, change(lines("a", "p1", line("a", 3, { name: long }))))
      const late: ReadonlyArray<readonly [string, ...JournalLine[]]> = [
        ["x", line("a", 9, { name: "x" })],
        ["y", line("a", 1, { name: "y" })],
        ["line 2", line("a", 9), line("a", 2)],
        [long, line("a", 9, { name: long })],
        ["z", line("a", 9, { name: "z" }), line("a", 10, { name: "z" })],
        ["w", line("a", 9), line("a", 9, { name: "w" })],
      ]
      for (const [name, ...written] of late) {
        expect(await other.commit(change(lines("a", "p1", ...written)))).toEqual(there(name))
      }
      expect(await all(store, "a")).toHaveLength(3)
      await commitAll(other, begin(agentRun("b"), lines("b", "p1", line("b", 1, { name: "x" }))))
      await commitAll(other, change(lines("a", "p1", line("a", 4, { name: "X" }), line("a", 5, { name: `${long}.` }))))
    }),
  )

  it(
    "lets one of many racing writers of a line win, over two connections",
    withStore(async ({ store, second }) => {
      const other = await second()
      await commitAll(store, begin(agentRun("a")))
      const rivals = Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? store : other).commit(
          change(lines("a", "p1", line("a", at + 1, { name: "begun", text: `${at}` }))),
        ),
      )
      const results = await Promise.all(rivals)
      expect(results.filter((result) => result.ok)).toHaveLength(1)
      for (const result of results) if (!result.ok) expect(result).toEqual(there("begun"))
      const text = `${results.findIndex((result) => result.ok)}`
      for (const each of [store, other]) expect(await all(each, "a")).toMatchObject([{ text }])
    }),
  )

  it(
    "lets a run be taken over between two lines, never under one",
    withStore(async ({ store, second }) => {
      const other = await second()
      await commitAll(store, begin(agentRun("a")))
      const taking = other.commit(moveRun(runningAgain(agentRun("a"), { owner: "p2" })))
      const writing = Array.from({ length: 20 }, (_, at) => store.commit(change(lines("a", "p1", line("a", at + 1)))))
      expect(await taking).toMatchObject({ ok: true })
      const results = await Promise.all(writing)
      const firstRefused = results.findIndex((result) => !result.ok)
      const before = firstRefused === -1 ? results : results.slice(0, firstRefused)
      for (const result of results.slice(before.length)) expect(result).toEqual(moved("a"))
      expect(await all(store, "a")).toHaveLength(before.length)
      expect(await store.commit(change(lines("a", "p1", line("a", 99))))).toEqual(moved("a"))
    }),
  )

  it(
    "goes with its run, and another run of that name begins with none",
    withStore(async ({ store }) => {
      const remove = change({ runs: [{ remove: "a", replaces: 1 }] })
      await commitAll(store, begin(agentRun("b")), begin(agentRun("a"), lines("a", "p1", line("a", 1))))
      await commitAll(store, change(lines("b", "p1", line("b", 1))), remove)
      expect(await all(store, "a")).toEqual([])
      expect(await all(store, "b")).toHaveLength(1)
      await commitAll(store, begin(agentRun("a")))
      expect(await all(store, "a")).toEqual([])
      await commitAll(store, change(lines("a", "p1", line("a", 1))))
    }),
  )

  it(
    "gives at least one line, then as many as fit into so many bytes",
    withStore(async ({ store }) => {
      const texts = ['"aaaa"', '"üüü"', '"b"', '"c"']
      const written = texts.map((text, at) => line("a", at + 1, { text }))
      await commitAll(store, begin(agentRun("a"), lines("a", "p1", ...written)))
      const page = async (after: number, maxBytes: number) =>
        (await store.journal("a", { after, maxBytes })).map(({ seq }) => seq)
      expect(await page(0, 0)).toEqual([1])
      expect(await page(0, 13)).toEqual([1])
      expect(await page(0, 14)).toEqual([1, 2])
      expect(await page(0, 17)).toEqual([1, 2, 3])
      expect(await page(1, 1)).toEqual([2])
      expect(await page(2, 6)).toEqual([3, 4])
      expect(await page(3, 1_000)).toEqual([4])
      expect(await page(4, 1_000)).toEqual([])
    }),
  )

  it(
    "keeps a journal of 14 MB with lines of several, and gives it in pages",
    withStore(async ({ store, reopen }) => {
      const sizes = [
        ...Array.from({ length: 10 }, () => 500_000),
        5_000_000,
        20,
        ...Array.from({ length: 8 }, () => 500_000),
      ]
      const written = sizes.map((size, at) => line("a", at + 1, { text: `"${String(at % 10).repeat(size)}"` }))
      await commitAll(store, begin(agentRun("a")))
      for (const each of written) await commitAll(store, change(lines("a", "p1", each)))
      const again = await reopen()
      const pages = await pagesOf(again, "a", 1_100_000)
      expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 2, 2, 1, 3, 2, 2, 2])
      expect(pages.flat()).toEqual(written)
      expect(pages.flat().reduce((sum, { text }) => sum + utf8Length(text), 0)).toBeGreaterThan(14_000_000)
    }),
  )

  it(
    "refuses lines that are of another run, not numbered from one, or hold what is not JSON",
    withStore(async ({ store }) => {
      await commitAll(store, begin(agentRun("a")), begin(agentRun("b")))
      const odd: ReadonlyArray<Partial<Change>> = [
        lines("a", "p1", line("b", 1)),
        lines("a", "p1", line("a", 0)),
        lines("a", "p1", line("a", 0.5)),
        lines("a", "p1", line("a", 1, { at: Number.NaN })),
        lines("a", "p1", line("a", 1, { text: '"\0"' })),
        lines("a", "p1", line("a", 1, { text: '"\ud800"' })),
        { ...lines("a", "p1", line("a", 1)), runs: [{ remove: "a", replaces: 1 }] },
      ]
      for (const each of odd) await expect(store.commit(change(each))).rejects.toThrow(TypeError)
      for (const id of ["a", "b"]) expect(await all(store, id)).toEqual([])
      expect(await store.run("a")).toEqual(agentRun("a"))
    }),
  )
}

async function all(store: Store, run: string): Promise<readonly JournalLine[]> {
  return (await pagesOf(store, run, 1_000_000)).flat()
}

async function pagesOf(store: Store, run: string, maxBytes: number): Promise<ReadonlyArray<readonly JournalLine[]>> {
  const pages: Array<readonly JournalLine[]> = []
  for (let after = 0; ; ) {
    const page = await store.journal(run, { after, maxBytes })
    const last = page.at(-1)
    if (last === undefined) return pages
    pages.push(page)
    after = last.seq
  }
}

function moved(run: string) {
  return { ok: false, conflict: "run", id: run }
}

function there(name: string) {
  return { ok: false, conflict: "journal", id: name }
}
