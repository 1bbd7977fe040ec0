/** Ten thousand calls wait, and the page is as quick as with ten. */
import { appendFileSync } from "node:fs"
import type { Browser, Page } from "@playwright/test"
import { putWaiting } from "../fixtures/many-calls.ts"
import { expect, test } from "../fixtures/test.ts"
import type { World } from "../fixtures/world.ts"

const waiting = 10_000
const updates = Number(process.env.BYLEAVE_UPDATES ?? "5000")
const mostMs = 100

test.use({ options: { more: "wait: 8h" } })

test("R172, R174: 10,000 waiting calls: no update works longer than 100 ms, and memory stays flat", async ({
  page,
  browser,
  world,
}) => {
  test.setTimeout(900_000)
  const agent = await world.agent()
  void agent.call("write_file", { path: "drafts/model.txt", content: "x" }).catch(() => undefined)
  await expect.poll(async () => (await pendingIds(world, 1)).length).toBe(1)
  await world.stop("SIGKILL")
  await putWaiting(world, waiting)
  await world.start()
  await world.signIn(page)
  await expect(page.getByText(`${waiting + 1} calls`, { exact: true })).toBeVisible({ timeout: 120_000 })
  expect(await page.locator("[data-approval]").count()).toBeLessThan(80)

  const loading = await longestTask(browser, page, async () => {
    await page.reload()
    await expect(page.getByText(`${waiting + 1} calls`, { exact: true })).toBeVisible({ timeout: 120_000 })
  })
  say("longest task while loading, ms", loading)
  expect.soft(loading).toBeLessThanOrEqual(mostMs)

  const ids = await pendingIds(world, 500)
  await extend(world, ids, 100)
  await settled(page)
  const longest = await longestTask(browser, page, async () => {
    await extend(world, ids, 100)
    await settled(page)
    await page.mouse.move(300, 500)
    for (let turns = 0; turns < 20; turns++) await page.mouse.wheel(0, 2_000)
    await settled(page)
  })
  say("longest task of the main thread, ms", longest)
  expect.soft(longest).toBeLessThanOrEqual(mostMs)

  const before = await heap(page)
  await extend(world, ids, updates)
  await settled(page)
  const after = await heap(page)
  say("heap before the updates, MB", before)
  say("heap after the updates, MB", after)
  expect(after).toBeLessThan(before * 1.1)
})

/** To whoever watches, and to the benchmark when it asks. */
function say(what: string, value: number): void {
  console.log(`${what}: ${value.toFixed(1)}`)
  const file = process.env.BYLEAVE_MANY_NUMBERS
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ what, value })}\n`)
}

async function pendingIds(world: World, limit: number): Promise<readonly string[]> {
  const reply = await world.people.listApprovals({ query: { status: "pending", limit } })
  return reply.ok ? reply.value.items.map(({ id }) => id) : []
}

/** Each gives one call more time, which every open page is told and reads. */
async function extend(world: World, ids: readonly string[], count: number): Promise<void> {
  const atOnce = 4
  for (let done = 0; done < count; done += atOnce) {
    const some = Array.from({ length: atOnce }, (_, at) => ids[(done + at) % ids.length] ?? "")
    const until = Date.now() + 8 * 60 * 60_000 + done
    await Promise.all(some.map((id) => world.people.extendApproval({ params: { id }, body: { until } })))
  }
}

/** The page has nothing left to do. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("domcontentloaded")
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let last = performance.now()
        const watch = setInterval(() => {
          if (performance.getEntriesByType("resource").some((entry) => entry.startTime > last - 1_500)) {
            last = performance.now()
            performance.clearResourceTimings()
            return
          }
          if (performance.now() - last > 1_500) {
            clearInterval(watch)
            resolve()
          }
        }, 200)
      }),
  )
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send("HeapProfiler.collectGarbage")
  await session.send("HeapProfiler.collectGarbage")
  const { usedSize } = await session.send("Runtime.getHeapUsage")
  await session.detach()
  return usedSize / 1_000_000
}

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly dur?: number
  readonly tdur?: number
  readonly pid: number
  readonly tid: number
  readonly args?: { readonly name?: string }
}

/** The processor time of the longest task of the page's main thread: what others on the machine do is not counted. */
async function longestTask(browser: Browser, page: Page, work: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, {
    categories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel"],
  })
  await work()
  const trace: { readonly traceEvents: readonly TraceEvent[] } = JSON.parse(String(await browser.stopTracing()))
  const threads = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = trace.traceEvents.filter(
    ({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && threads.has(`${pid} ${tid}`),
  )
  return Math.max(0, ...tasks.map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1_000))
}
